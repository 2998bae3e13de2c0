// Generates the pages of docs/reference/client-rules/ and their index from the client rules.
import type { ClientRule } from "../src/checker/client-rules/client-rule.ts";
import type { RuleExample, TraceExample } from "../src/checker/rules/rule.ts";
import { formatJson } from "../src/foundation/json/json.ts";
import type { Spec } from "../src/foundation/spec/spec.ts";
import { cell } from "./_cell.ts";

const mark = "<!-- Made by `npm run generate` from src/checker/client-rules. Do not edit. -->";

export function clientRulesIndexPage(rules: readonly ClientRule[]): string {
  return [
    mark,
    "# Client rules",
    "",
    "Rules for clients; [rules.md](rules.md) lists the rules for the target. Each comes from a sentence of the spec, and its examples are its tests. A client rule sees requests and earlier responses,",
    "so a client breaks no rule by what it cannot know. The spec forbids an error and advises against a warning; neither is a finding on the target.",
    "[check-clients.md](../check-clients.md) shows where findings appear.",
    "",
    "| Rule | Section | Severity | Summary |",
    "| --- | --- | --- | --- |",
    ...rules.map(
      ({ id, section, severity, summary }) =>
        `| [${id}](client-rules/${id}.md) | ${section} | ${severity} | ${cell(summary)} |`,
    ),
    "",
  ].join("\n");
}

export function clientRulesPage(rule: ClientRule, spec: Spec): string {
  const { id, section, severity, summary, sentence, why, advice, examples } = rule;
  const excuse =
    rule.type === "trace" && rule.assumesExclusiveUse
      ? ["", "In a recording it is a warning without `--exclusive`, because a missing exchange could explain it."]
      : [];
  return [
    mark,
    `# ${id}`,
    "",
    `${summary} ${severity === "error" ? "An error." : "A warning."}`,
    ...excuse,
    "",
    `> ${sentence}`,
    "",
    `Source: spec §${section}.`,
    "",
    "## Why it matters",
    "",
    why,
    "",
    "## What to do",
    "",
    advice,
    "",
    "## Examples",
    "",
    ...examplesLines("Broken", examples.broken, spec),
    ...examplesLines("Kept", examples.kept, spec),
  ].join("\n");
}

/** Shows the shortest example of each kind in full, then the others by name. */
function examplesLines(
  verdict: string,
  examples: readonly (RuleExample | TraceExample)[],
  spec: Spec,
): readonly string[] {
  const [shortest, ...others] = examples.toSorted(
    (left, right) => exchangesOf(left).length - exchangesOf(right).length,
  );
  if (shortest === undefined) return [];
  const exchanges = exchangesOf(shortest).flatMap((exchange) => exchangeLines(exchange, spec));
  return [
    `${verdict} by ${shortest.name}:`,
    "",
    "```",
    ...exchanges,
    "```",
    "",
    ...others.flatMap(({ name }) => [`${verdict} by ${name}.`, ""]),
  ];
}

function exchangesOf(example: RuleExample | TraceExample): readonly Omit<RuleExample, "name">[] {
  return "exchanges" in example ? example.exchanges : [example];
}

function exchangeLines(example: Omit<RuleExample, "name">, { operations }: Spec): readonly string[] {
  const { operationId, target, requestHeaders = {}, requestBody, requestText, status } = example;
  const method = operations.find((operation) => operation.operationId === operationId)?.method ?? "";
  const headers = Object.entries(requestHeaders).filter(([, value]) => value !== "");
  const body = requestText ?? (requestBody === undefined ? "" : formatJson(requestBody));
  return [
    `${method} ${target}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === "" ? [] : [cut(body)]),
    `→ ${status} ${cut(example.body)}`.trimEnd(),
  ];
}

/** Length limit of a body on a page, in characters. */
const shownMax = 900;

/** Shortens contract ids and blobs to their beginnings and ends. */
function cut(text: string): string {
  const short = text.replaceAll(/[A-Za-z0-9+/]{30,}=*/g, (long) => `${long.slice(0, 10)}…${long.slice(-8)}`);
  return short.length > shownMax ? `${short.slice(0, shownMax)}…` : short;
}

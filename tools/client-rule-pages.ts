// The pages of docs/client-rules/ and their index, made from the client rules, so that they cannot drift.
import type { ClientRule } from "../src/checker/client-rules/client-rule.ts";
import type { RuleExample, TraceExample } from "../src/checker/rules/rule.ts";
import { formatJson } from "../src/foundation/json/json.ts";
import type { Spec } from "../src/foundation/spec/spec.ts";

const mark = "<!-- Made by `npm run generate` from src/checker/client-rules. Do not edit. -->";

export function clientRulesIndexPage(rules: readonly ClientRule[]): string {
  return [
    mark,
    "# Client findings",
    "",
    "Rules for the consumer, as [rules.md](rules.md) has them for the target. Each comes from a sentence of the spec, and its examples are its tests. They see what a client asks and what it was answered before,",
    "and accuse it of nothing that it could not know. An error is what the spec does not allow, a warning what it advises against; neither is ever a finding on the target.",
    "[check-clients.md](check-clients.md) says where they are reported.",
    "",
    "| Rule | Section | Severity | Says |",
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
      ? [
          "",
          "In a recording it is a warning unless `--exclusive` says that nothing is missing: what was not recorded may be the reason.",
        ]
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
    `Section ${section} of the spec.`,
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
    ...examples.broken.flatMap((example, index) => exampleLines("Broken", example, spec, index === 0)),
    ...examples.kept.flatMap((example, index) => exampleLines("Kept", example, spec, index === 0)),
  ].join("\n");
}

/** The first of each kind is shown, the others are named. */
function exampleLines(
  verdict: string,
  example: RuleExample | TraceExample,
  spec: Spec,
  isShown: boolean,
): readonly string[] {
  const title = `${verdict} by ${example.name}${isShown ? ":" : "."}`;
  if (!isShown) return [title, ""];
  const exchanges = "exchanges" in example ? example.exchanges : [example];
  return [title, "", "```", ...exchanges.flatMap((exchange) => exchangeLines(exchange, spec)), "```", ""];
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

/** Characters of a body that a page shows. */
const shownMax = 900;

/** Contract ids and blobs by their beginnings and ends, since whoever reads compares these. */
function cut(text: string): string {
  const short = text.replaceAll(/[A-Za-z0-9+/]{30,}=*/g, (long) => `${long.slice(0, 10)}…${long.slice(-8)}`);
  return short.length > shownMax ? `${short.slice(0, shownMax)}…` : short;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

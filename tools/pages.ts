// Generates the pages of docs/ from contracts/, rules and probes.
import type { Probe } from "../src/checker/probing/probe.ts";
import type { Rule, RuleExample, TraceExample } from "../src/checker/rules/rule.ts";
import type { Contracts, Divergence } from "../src/foundation/spec/contracts.ts";
import { cell } from "./_cell.ts";

const mark = (source: string) => `<!-- Made by \`npm run generate\` from ${source}. Do not edit. -->`;

export function errorCodesPage({ errorCodes }: Contracts): string {
  const rows = errorCodes.codes.map(
    ({ code, category, grpc, http, when, context, resource }) =>
      `| \`${code}\` | ${http ?? ""} | ${category} | ${grpc ?? ""} | ${cell(when)} | ${context.map((key) => `\`${key}\``).join(", ")} | ${resource ?? ""} |`,
  );
  const categories = Object.entries(errorCodes.categories).map(
    ([number, { name, http, retryInfo, redacted }]) =>
      `| ${number} | ${name} | ${http} | ${retryInfo ?? ""} | ${redacted ? "yes" : ""} |`,
  );
  return [
    mark("contracts/error-codes.yaml"),
    "# Error codes of the ledger",
    "",
    "A ledger error has a code; its category and gRPC code determine the HTTP status. In profile `spec` the body of a 400 is a text, `CODE: cause`.",
    "In a release profile, errors of a redacted category have the code `NA` and the category -1. The stub sends the real reason in the header `Understudy-Reason`.",
    "",
    "| Code | HTTP | Category | gRPC | When | Context keys | Resource |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
    "",
    "## Categories",
    "",
    "| Category | Name | HTTP | Retry after | Redacted |",
    "| --- | --- | --- | --- | --- |",
    ...categories,
    "",
  ].join("\n");
}

export function divergencesPage({ divergences }: Contracts): string {
  const sections = Object.entries(divergences)
    .filter(([, known]) => known.length > 0)
    .flatMap(([profile, known]) => [
      `## ${profile}`,
      "",
      "| Id | What | Operations | Rule | Actual | Played by the stub | Evidence |",
      "| --- | --- | --- | --- | --- | --- | --- |",
      ...known.map(divergenceRow),
      "",
    ]);
  return [
    mark("contracts/profiles"),
    "# Known divergences",
    "",
    "Known differences between a release and the spec. The checker reports a violation that matches one of them as `KNOWN`; such a violation does not fail the check, except with `--strict`, `--fail-on known` or `--profile spec`.",
    "The stub plays most of them in the profile of the release. `in every profile` marks what it also does in profile `spec`, because the spec leaves it open; `with --auth none` what a stub without tokens does. The rule `none` marks a difference that no rule checks. Evidence names the release, the component and the topic, and how the difference is known: *tested* by a test of the release, *source* code, *recorded* responses of a real node, or *inferred*. The files are in the public repositories digital-asset/canton, canton-network/cf-docs, canton-network/splice and canton-network/wallet.",
    "",
    ...sections,
  ].join("\n");
}

function divergenceRow({ id, title, operations, rule, actual, played, evidence }: Divergence): string {
  return `| <a id="${id.toLowerCase()}"></a>${id} | ${cell(title)} | ${operations.join(", ")} | ${rule} | ${cell(actual)} | ${played} | ${cell(evidence)} |`;
}

export function rulesPage(rules: readonly Rule[], divergences: ReadonlyMap<string, readonly Divergence[]>): string {
  const profiles = [...divergences.keys()];
  const rows = rules.map(
    ({ id, type, section, severity, summary }) =>
      `| [${id}](#${id}) | ${section} | ${type === "trace" ? "several" : "one"} | ${severity} | ${cell(summary)} |`,
  );
  const matrix = rules.map((rule) => {
    const known = [...divergences.values()].map((divergencesOfProfile) => divergencesOf(rule, divergencesOfProfile));
    return `| [${rule.id}](#${rule.id}) | ${inProfileSpec(rule)} | ${known.map((ids) => [rule.severity, ...ids].join(", ")).join(" | ")} |`;
  });
  return [
    mark("src/checker/rules"),
    "# Rules",
    "",
    "Each rule comes from a sentence of the spec. One exchange can break it, or several consecutive ones. Its examples are its tests. A warning is advice of the spec, or",
    "known behaviour of releases that the spec does not require; it never fails a check. [spec-coverage.md](../spec-coverage.md) lists the rules for each topic of the spec.",
    "",
    "| Rule | Section | Exchanges | Severity | Summary |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
    "## Rules by profile",
    "",
    "What a finding of a rule is in each profile of a ledger, with the profile of the registry that it implies. In profile `spec`, and with `--strict`, a finding is only a warning where releases alone define the behaviour; the section of the rule says why.",
    "A [divergence](divergences.md) beside the outcome is known in that profile: a finding that matches it is `KNOWN`.",
    "",
    `| Rule | spec | ${profiles.join(" | ")} |`,
    `| --- | --- |${" --- |".repeat(profiles.length)}`,
    ...matrix,
    "",
    ...rules.flatMap(ruleSection),
  ].join("\n");
}

function inProfileSpec({ severity, inSpec }: Rule): string {
  if (inSpec === undefined) return severity;
  return inSpec.warning === "all" ? "warning" : "error, some warnings";
}

function divergencesOf({ id }: Rule, known: readonly Divergence[]): readonly string[] {
  return known
    .filter(({ rule }) => rule === id)
    .map((divergence) => `[${divergence.id}](divergences.md#${divergence.id.toLowerCase()})`);
}

function ruleSection(rule: Rule): readonly string[] {
  const { id, section, severity, summary, examples } = rule;
  const outcome = severity === "error" ? "a violation fails" : "a warning";
  const { inSpec } = rule;
  const reason =
    inSpec === undefined
      ? []
      : [
          "",
          `${inSpec.warning === "all" ? "A warning" : "Some findings are warnings"} in profile \`spec\` and with \`--strict\`: ${inSpec.because}.`,
        ];
  const quiet = rule.type === "trace" && rule.assumesExclusiveUse ? ["", excuse] : [];
  const rows = (["kept", "broken"] as const).flatMap((verdict) =>
    examples[verdict].map((example) => exampleRow(example, verdict)),
  );
  return [
    `## ${id}`,
    "",
    `${summary} Source: spec §${section}; ${outcome}.`,
    ...reason,
    ...quiet,
    "",
    "| Example | Operation | Status | Media type | Verdict |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
  ];
}

const excuse =
  "Requests of other clients could explain a violation. It is a warning without `--exclusive`, or if a probe does not find it twice, unless no other client can cause it.";

function exampleRow(example: RuleExample | TraceExample, verdict: string): string {
  const exchanges = "exchanges" in example ? example.exchanges : [example];
  const column = (textOf: (exchange: Omit<RuleExample, "name">) => string) =>
    [...new Set(exchanges.map(textOf))].join(", ");
  const operations = column(({ operationId }) => operationId);
  const statuses = column(({ status }) => (status === 0 ? "none" : String(status)));
  const mediaTypes = column(({ status, contentType = "application/json" }) => (status === 0 ? "" : contentType));
  return `| ${cell(example.name)} | ${operations} | ${statuses} | ${mediaTypes} | ${verdict} |`;
}

export function probesPage(probes: readonly Probe[]): string {
  const rows = probes.map(
    ({ id, section, safety, summary, needs, reaches }) =>
      `| ${id} | ${section} | ${safety} | ${cell(summary)} | ${needs.join(", ")} | ${[...new Set(reaches)].join(", ")} |`,
  );
  return [
    mark("src/checker/probes"),
    "# Probes",
    "",
    "A probe sends requests to a live target; the [rules](rules.md) check the responses. `safe` probes change nothing on a target that conforms to the spec. `writes` probes need `--writes`,",
    "`destructive` probes need `--destructive`. A probe with missing needs is skipped. [Check reference](../check-reference.md#the-target-file) shows how to supply them.",
    "",
    "| Probe | Section | Safety | Summary | Needs | Reaches |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

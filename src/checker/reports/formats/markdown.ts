import { printable, printableLines } from "../../../foundation/text/printable.ts";
import { shortened } from "../../../foundation/text/shortened.ts";
import { divergenceUrl, ruleUrl } from "../docs-links.ts";
import type { Report } from "../report.ts";
import { countOf, groupViolations, markOfViolation, type ViolationGroup, violationsInOrder } from "./_matrix.ts";
import {
  checkedAgainst,
  counted,
  driftByOperation,
  driftSentence,
  inconclusiveByRule,
  messageText,
  placeText,
  probesText,
  resultOf,
  resultSentence,
  routeText,
  skippedByReason,
  statusesNotObservedOf,
  totals,
  traceLimits,
} from "./_phrases.ts";

/** Limits of table rows and details: CI services limit a summary to 1 MiB. */
const rowsMax = 200;
const detailsMax = 50;
/** Characters of a pointer in a title. */
const titleMax = 80;

/** Renders Markdown for the summary page of a CI job: result, totals and violations; the rest is folded. */
export function renderMarkdown(report: Report): string {
  const violations = groupViolations(report, violationsInOrder(report));
  const blocks = [
    `## ${{ fails: "❌", incomplete: "⚠️", passes: "✅" }[resultOf(report)]} understudy check`,
    `${bold(resultSentence(report))} ${plain(totals(report))}`,
    plain(checkedAgainst(report)),
    ...violationsTable(report, violations),
    ...violations.slice(0, detailsMax).map((violation, index) => violationDetails(report, violation, index === 0)),
    ...more(violations.length - detailsMax, "further kind"),
    ...knownBlocks(report),
    ...baselineBlocks(report),
    ...probingBlocks(report),
    ...(report.command === undefined ? [] : [`Repeat: ${code(report.command)}`]),
    ...driftBlocks(report),
    ...coverageBlocks(report),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function violationsTable(report: Report, violations: readonly ViolationGroup[]): readonly string[] {
  const rows = violations.slice(0, rowsMax).map((group) => {
    const [violation] = group;
    return [
      markOfViolation(report, violation),
      linked(violation.rule, ruleUrl(violation.rule)),
      group.map((single) => code(placeText(report.summary, single))).join("<br>"),
      String(countOf(group)),
      code(violation.expected),
      code(violation.actual),
      code(violation.pointer === "" ? "(the response)" : violation.pointer),
      violation.section,
    ];
  });
  const head = ["", "Rule", "Operation", "Count", "Expected", "Actual", "At", "Section"];
  return [...table(head, rows), ...more(violations.length - rowsMax, "further row")];
}

/** The exchange of a violation, folded; the first failure is open. */
function violationDetails(report: Report, group: ViolationGroup, isFirst: boolean): string {
  const [violation] = group;
  const { rule, curl, request, response } = violation;
  const mark = markOfViolation(report, violation);
  const fold = isFirst && mark === "failed" ? unfolded : folded;
  const place =
    group.length === 1 ? placeText(report.summary, violation) : `same finding in ${counted(group.length, "place")}`;
  return fold(`${mark} ${rule} ${place} ${shortened(violation.pointer, titleMax)}`.trim(), [
    fenced(messageText(request)),
    ...(response === undefined ? [] : [fenced(messageText(response))]),
    fenced(curl),
    `${group.length === 1 ? "Fingerprint" : "Fingerprints"}: ${group.map(({ fingerprint }) => code(fingerprint)).join("<br>")}`,
  ]);
}

function knownBlocks({ summary: { knownDivergences } }: Report): readonly string[] {
  if (knownDivergences.length === 0) return [];
  const rows = knownDivergences.map(({ id, title, count }) => [
    linked(id, divergenceUrl(id)),
    plain(title),
    String(count),
  ]);
  return [folded(`Known divergences: ${rows.length}`, table(["Known divergence", "Title", "Count"], rows))];
}

function baselineBlocks({ baseline }: Report): readonly string[] {
  if (baseline === undefined) return [];
  const { file, accepted, fixed, unchecked } = baseline;
  const rows = [
    ...fixed.map((fingerprint) => ["fixed", code(fingerprint)]),
    ...accepted.map((fingerprint) => ["accepted", code(fingerprint)]),
    ...unchecked.map((fingerprint) => ["not checked", code(fingerprint)]),
  ];
  const title = `Baseline ${file}: ${accepted.length} accepted, ${fixed.length} fixed, ${unchecked.length} not checked`;
  return rows.length === 0 ? [plain(title)] : [folded(title, table(["", "Fingerprint"], rows))];
}

function probingBlocks({ probing }: Report): readonly string[] {
  if (probing === undefined) return [];
  const { probes, created, requests } = probing;
  const skipped = skippedByReason(probes).map(({ name, members }) => [plain(name), code(members.join(", "))]);
  const remaining = created.map(({ kind, id }) => [plain(kind), code(id)]);
  const title = `Probes: ${probesText(probing)}`;
  return [
    skipped.length === 0 ? plain(title) : folded(title, table(["Skipped because", "Probes"], skipped)),
    plain(`Requests of the probes: ${requests}`),
    ...(remaining.length === 0
      ? []
      : [folded(`Created at the target and not removed: ${remaining.length}`, table(["Kind", "Id"], remaining))]),
  ];
}

function driftBlocks(report: Report): readonly string[] {
  const sentence = driftSentence(report);
  if (sentence === undefined || report.drift === undefined) return [];
  const rows = driftByOperation(report.drift).map(({ name, members }) => [code(name), plain(members.join("; "))]);
  return rows.length === 0
    ? [plain(sentence)]
    : [
        folded(sentence, [
          ...table(["Operation", "Differences"], rows.slice(0, rowsMax)),
          ...more(rows.length - rowsMax, "further operation"),
        ]),
      ];
}

function coverageBlocks({ summary }: Report): readonly string[] {
  const { divergencesNotObserved, operationsNotObserved, coverage } = summary;
  const rows = [
    ...operationsNotObserved.map((operationId) => [
      "operation not observed",
      operationId,
      routeText(summary, operationId),
    ]),
    ...statusesNotObservedOf(summary).map(({ name, members }) => ["statuses not observed", name, members.join(", ")]),
    ...inOneRow("rules not exercised", coverage.rulesNotExercised),
    ...inconclusiveByRule(summary).map(({ name, members }) => ["inconclusive rule", name, members.join(", ")]),
    ...traceLimits(summary).map((limit) => ["limit of the trace rules", "", limit]),
    ...inOneRow("known divergences not observed", divergencesNotObserved),
  ].map(([what = "", name = "", more = ""]) => [plain(what), name === "" ? "" : code(name), plain(more)]);
  return rows.length === 0
    ? []
    : [folded("What the check did not observe or could not decide", table(["What", "Which", "More"], rows))];
}

function inOneRow(what: string, members: readonly string[]): readonly (readonly string[])[] {
  return members.length === 0 ? [] : [[what, "", members.join(", ")]];
}

/** A table; nothing without rows. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [[line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")];
}

function folded(title: string, blocks: readonly string[]): string {
  return details("<details>", title, blocks);
}

function unfolded(title: string, blocks: readonly string[]): string {
  return details("<details open>", title, blocks);
}

function details(tag: string, title: string, blocks: readonly string[]): string {
  return [tag, `<summary>${plain(title)}</summary>`, ...blocks, "</details>"].join("\n\n");
}

/** An id that links to its description. */
function linked(id: string, url: string): string {
  return `[${code(id)}](${url})`;
}

function more(count: number, noun: string): readonly string[] {
  return count > 0 ? [`… and ${counted(count, noun)}: --report FILE.html shows all.`] : [];
}

/** Text in one line. Characters with a meaning in Markdown or HTML become character references. */
function plain(text: string): string {
  return printable(text).replaceAll(
    /[&<>"#*+`_[\]\\|~@$^={}]|:(?=\/)/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}

/** Like `plain`, as code, where hosts do not link user names or issue numbers. */
function code(text: string): string {
  return `<code>${plain(text).replaceAll(".", "&#46;")}</code>`;
}

function bold(text: string): string {
  return `**${plain(text)}**`;
}

/** A code block whose fence is longer than any fence in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${printableLines(text)}\n${fence}`;
}

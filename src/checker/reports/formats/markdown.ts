import { printable, printableLines } from "../../../foundation/text/printable.ts";
import type { CountedViolation } from "../../engine/verdict.ts";
import type { Report } from "../report.ts";
import { type Alike, alikeIn, countOf, markOfViolation, violationsInOrder } from "./_matrix.ts";
import {
  checkedAgainst,
  counted,
  memoryLimits,
  placeText,
  resultOf,
  resultSentence,
  routeText,
  silencesByRule,
  skippedByReason,
  totals,
  unseenStatusesOf,
} from "./_phrases.ts";

/** Rows of a table and details that a summary shows; a CI takes a mebibyte. */
const rowsMax = 200;
const detailsMax = 50;

/** Markdown for the summary page of a CI job: result, totals, violations, and what else there is, folded. */
export function renderMarkdown(report: Report): string {
  const violations = alikeIn(report, violationsInOrder(report));
  const blocks = [
    `## ${{ fails: "❌", incomplete: "⚠️", passes: "✅" }[resultOf(report)]} understudy check`,
    `${bold(resultSentence(report))} ${plain(totals(report.summary))}`,
    plain(checkedAgainst(report)),
    ...violationsTable(report, violations),
    ...violations.slice(0, detailsMax).map((violation) => violationDetails(report, violation)),
    ...more(violations.length - detailsMax, "further kind"),
    ...knownTable(report),
    ...baselineBlocks(report),
    ...probingBlocks(report),
    ...coverageBlocks(report),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function violationsTable(report: Report, violations: readonly Alike[]): readonly string[] {
  const rows = violations.slice(0, rowsMax).map((alike) => {
    const [violation] = alike;
    return [
      markOfViolation(report, violation),
      code(violation.rule),
      alike.map((single) => code(placeText(report.summary, single))).join("<br>"),
      String(countOf(alike)),
      code(violation.expected),
      code(violation.actual),
      code(violation.pointer === "" ? "(the response)" : violation.pointer),
      violation.section,
    ];
  });
  const head = ["", "Rule", "Operation", "Count", "Expected", "Came", "At", "Section"];
  return [...table(head, rows), ...more(violations.length - rowsMax, "further row")];
}

function violationDetails(report: Report, alike: Alike): string {
  const [violation] = alike;
  const { rule, curl, request, response } = violation;
  const title = `${markOfViolation(report, violation)} ${rule} ${placeText(report.summary, violation)}`;
  return folded(title, [
    fenced(`${request.line}${headersText(request.headers)}${request.body === "" ? "" : `\n\n${request.body}`}`),
    ...(response === undefined
      ? []
      : [
          fenced(
            `${response.line}${headersText(response.headers)}${response.body === "" ? "" : `\n\n${response.body}`}`,
          ),
        ]),
    fenced(curl),
    `${alike.length === 1 ? "Fingerprint" : "Fingerprints"}: ${alike.map(({ fingerprint }) => code(fingerprint)).join("<br>")}`,
  ]);
}

function headersText(headers: CountedViolation["request"]["headers"]): string {
  return headers.map(([name, value]) => `\n${name}: ${value}`).join("");
}

function knownTable({ summary: { knownDivergences } }: Report): readonly string[] {
  const rows = knownDivergences.map(({ id, title, count }) => [code(id), plain(title), String(count)]);
  return table(["Known divergence", "Title", "Count"], rows);
}

function baselineBlocks({ baseline }: Report): readonly string[] {
  if (baseline === undefined) return [];
  const { file, accepted, fixed, unchecked } = baseline;
  const rows = [
    ...fixed.map((fingerprint) => ["fixed", code(fingerprint)]),
    ...accepted.map((fingerprint) => ["accepted", code(fingerprint)]),
    ...unchecked.map((fingerprint) => ["not looked at", code(fingerprint)]),
  ];
  const title = `Baseline ${file}: ${accepted.length} accepted, ${fixed.length} fixed, ${unchecked.length} not looked at`;
  return rows.length === 0 ? [plain(title)] : [folded(title, table(["", "Fingerprint"], rows))];
}

function probingBlocks({ probing }: Report): readonly string[] {
  if (probing === undefined) return [];
  const { probes, created, requests } = probing;
  const ran = probes.filter(({ outcome }) => outcome === "ran").length;
  const notRun = skippedByReason(probes).map(({ name, members }) => [plain(name), code(members.join(", "))]);
  const left = created.map(({ kind, id }) => [plain(kind), code(id)]);
  const title = `Probes: ${ran} ran with ${counted(requests, "request")}, ${probes.length - ran} not run`;
  return [
    notRun.length === 0 ? plain(title) : folded(title, table(["Not run", "Probes"], notRun)),
    ...(left.length === 0
      ? []
      : [folded(`Created at the target and still there: ${left.length}`, table(["Kind", "Id"], left))]),
  ];
}

function coverageBlocks({ summary }: Report): readonly string[] {
  const { unusedDivergences, unseenOperations, coverage } = summary;
  const rows = [
    ...unseenOperations.map((operationId) => ["operation never seen", operationId, routeText(summary, operationId)]),
    ...unseenStatusesOf(summary).map(({ name, members }) => ["statuses never seen", name, members.join(", ")]),
    ...inOneRow("rules that had nothing to look at", coverage.unusedRules),
    ...silencesByRule(summary).map(({ name, members }) => [
      "rule that could not always tell",
      name,
      members.join(", "),
    ]),
    ...memoryLimits(summary).map((limit) => ["beyond what is remembered", "", limit]),
    ...inOneRow("known divergences that nothing met", unusedDivergences),
  ].map(([what = "", name = "", more = ""]) => [plain(what), name === "" ? "" : code(name), plain(more)]);
  return rows.length === 0 ? [] : [folded("What the verdict does not rest on", table(["What", "Which", "More"], rows))];
}

function inOneRow(what: string, members: readonly string[]): readonly (readonly string[])[] {
  return members.length === 0 ? [] : [[what, "", members.join(", ")]];
}

/** A table between blank lines; none where it has no rows. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [[line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")];
}

function folded(title: string, blocks: readonly string[]): string {
  return ["<details>", `<summary>${plain(title)}</summary>`, ...blocks, "</details>"].join("\n\n");
}

function more(count: number, noun: string): readonly string[] {
  return count > 0 ? [`… and ${counted(count, noun)}: --report FILE.html shows all.`] : [];
}

/** In one line, with everything that Markdown or HTML would read as more than text written as a character reference. */
function plain(text: string): string {
  return printable(text).replaceAll(
    /[&<>"#*+`_[\]\\|~@$^={}]|:(?=\/)/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}

/** Like `plain`, in the type of code, where no host reads names of users or issues out of it. */
function code(text: string): string {
  return `<code>${plain(text).replaceAll(".", "&#46;")}</code>`;
}

function bold(text: string): string {
  return `**${plain(text)}**`;
}

/** A block in which everything is text: its fence is longer than any in it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${printableLines(text)}\n${fence}`;
}

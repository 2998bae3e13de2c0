import { closeSync, openSync, readSync } from "node:fs";
import { extname, relative, sep } from "node:path";
import { hasErrors } from "../../../checker/client-rules/client-finding.ts";
import { faultSentence } from "../../../checker/engine/rule-fault.ts";
import { baselineOf, formatBaseline } from "../../../checker/reports/baseline.ts";
import { renderClientFindings } from "../../../checker/reports/formats/client-findings.ts";
import { renderHtml } from "../../../checker/reports/formats/html.ts";
import { renderJson } from "../../../checker/reports/formats/json.ts";
import { renderJunit } from "../../../checker/reports/formats/junit.ts";
import { renderMarkdown } from "../../../checker/reports/formats/markdown.ts";
import { renderSarif } from "../../../checker/reports/formats/sarif.ts";
import { renderTerminal } from "../../../checker/reports/formats/terminal.ts";
import { hasPassed, isComplete, isFailed, type Report } from "../../../checker/reports/report.ts";
import { type BaselineFile, baselineIn, gated } from "../../programs/check/baseline-file.ts";
import { type NamedFile, namedFile, namedTwice } from "../../programs/files/named-file.ts";
import { notFound } from "../../programs/files/unreadable.ts";
import { alreadyThere } from "../../programs/files/whole-file.ts";
import { writeBigint } from "../../programs/files/write-bigint.ts";
import { checkWritable, isExisting, writeWhole } from "../../programs/files/write-whole.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import { fileOf } from "../flags/file-of.ts";
import { forceFlag } from "../flags/force-flag.ts";
import { isQuiet, quietFlag } from "../flags/quiet-flag.ts";
import { booleanFlag, type Environment, type Flag, inGroup, listFlag, type Options, textFlag } from "../options.ts";
import { failOnOf } from "./gate-flags.ts";
import { clientRulesFaultSentence } from "./watched-client-rules.ts";

/** Flags for the output of a report. */
export const reportFlags: readonly Flag[] = [
  ...inGroup("Report", [
    listFlag("report", "FILE", "write the report to this file: .json, .sarif, .xml (JUnit), .md or .html"),
    forceFlag,
    textFlag("baseline", "FILE", "accept the findings in this file; only new ones fail"),
    booleanFlag("update-baseline", "write the current findings to the baseline"),
  ]),
  quietFlag,
];

type Render = (report: Report, folder: string) => string;

const formats: ReadonlyMap<string, Render> = new Map<string, Render>([
  [".json", renderJson],
  // Code scanning finds only files below the root of the repository.
  [".sarif", (report, folder) => renderSarif(withRelativeFiles(report, folder))],
  [".xml", renderJunit],
  [".md", renderMarkdown],
  [".html", renderHtml],
]);

/** The first bytes of each report format. */
const reportBeginnings: ReadonlyMap<string, RegExp> = new Map([
  [".json", /^\{\s*"version":\s*[12],\s*"isFailed":/],
  [".sarif", /^\{\s*"\$schema":[^{]{0,200}\{\s*"tool":\s*\{\s*"driver":\s*\{\s*"name":\s*"understudy",/],
  [".xml", /^<\?xml[^>]{0,100}\?>\s*<testsuites name="understudy check"/],
  [".md", /^## (?:❌|⚠️|✅) understudy check\r?\n/],
  [".html", /^<!doctype html>\r?\n<html lang="en">\r?\n<head>\r?\n(?:<meta [^\n]*\n)*<title>understudy check: /],
]);

/** Checks the paths of reports and baseline before the work starts. `inputs` are files that the check reads. */
export function checkReportFlags(options: Options, inputs: readonly NamedFile[]): void {
  const files = reportsOf(options);
  for (const file of files) formatOf(file);
  const twice = namedTwice(files);
  if (twice !== undefined)
    throw new UserError(`--report ${twice.name} is given twice. Name another file for each report.`);
  const baseline = fileOf("baseline", options);
  for (const file of files) {
    checkWritable(file, [...inputs, ...(baseline === undefined ? [] : [baseline])]);
    if (isExisting(file) && !isReplaceable(file, options)) throw alreadyThere(file);
  }
  if (options.flag("update-baseline")) {
    if (baseline === undefined) throw new UserError("--update-baseline needs a file: --baseline FILE");
    checkWritable(baseline, inputs);
  }
  baselineBefore(options);
  failOnOf(options);
}

/** Prints a report, writes its files and returns the exit code. */
export function finish(found: Report, options: Options, environment: Environment): number {
  const before = baselineBefore(options);
  const isUpdate = options.flag("update-baseline") && before !== undefined;
  const after = isUpdate && isComplete(found) ? baselineOf(found.summary, before.baseline) : undefined;
  const { config } = options;
  const judged = gated(found, { before, after, failOn: failOnOf(options) });
  const report = config === undefined ? judged : { ...judged, config: config.file };
  printReport(report, options, environment);
  if (before !== undefined && after !== undefined)
    writeWhole(before.file, formatBaseline(after), { isReplacing: true });
  // A file that another process wrote during the check is not overwritten.
  for (const file of reportsOf(options))
    writeWhole(file, formatOf(file)(report, options.folder), {
      isReplacing: isExisting(file) && isReplaceable(file, options),
    });
  if (isUpdate && after === undefined)
    environment.printError(`${before.file.name} is not written: the check is incomplete, so findings may be missing.`);
  return exitCodeOf(report, environment);
}

function printReport(report: Report, options: Options, { print, isColoured }: Environment): void {
  if (options.flag("json")) {
    print(JSON.stringify({ event: "verdict", ...eventOf(report) }, writeBigint));
    return;
  }
  const { clientRules } = report;
  if (isQuiet(options) && hasPassed(report)) return;
  const whole = reportsOf(options).find(({ name }) => /\.(?:html|json)$/i.test(name));
  print(renderTerminal(report, isColoured, whole?.name));
  if (clientRules !== undefined) print(renderClientFindings(clientRules, isColoured));
}

function reportsOf(options: Options): readonly NamedFile[] {
  return options.texts("report").map((name) => namedFile(name, options));
}

const headBytesMax = 4096;

/** Whether the file can be replaced: it is a report of an earlier run, or `--force` is given. */
function isReplaceable({ name, path }: NamedFile, options: Options): boolean {
  if (options.flag("force")) return true;
  const begins = reportBeginnings.get(extname(name).toLowerCase());
  return begins?.test(headOf(path)) === true;
}

/** The first bytes of a file; empty for a file that cannot be read. */
function headOf(path: string): string {
  const head = Buffer.alloc(headBytesMax);
  try {
    const descriptor = openSync(path, "r");
    try {
      return head.toString("utf8", 0, readSync(descriptor, head));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}

function exitCodeOf(report: Report, environment: Environment): number {
  const { summary, clientRules } = report;
  const faults = [
    faultSentence(summary),
    clientRules === undefined ? undefined : clientRulesFaultSentence(clientRules),
  ];
  const faultTexts = faults.filter((fault) => fault !== undefined);
  for (const fault of faultTexts) environment.printError(fault);
  if (faultTexts.length > 0) return exitCodes.fault;
  const isClientWrong = clientRules !== undefined && hasErrors(clientRules);
  return isFailed(report) || isClientWrong ? exitCodes.findings : exitCodes.fine;
}

/** The report with relative paths of the files that locate findings. */
function withRelativeFiles(report: Report, folder: string): Report {
  const { sources, place, baseline } = report;
  return {
    ...report,
    sources: sources.map((source) => within(source, folder)),
    ...(place === undefined ? {} : { place: { ...place, file: within(place.file, folder) } }),
    baseline: baseline && { ...baseline, file: within(baseline.file, folder) },
  };
}

/** A path below the folder as a relative one. */
function within(source: string, folder: string): string {
  return source.startsWith(`${folder}${sep}`) ? relative(folder, source) : source;
}

function eventOf({ summary, ...context }: Report): object {
  return { ...summary, ...context };
}

/** The baseline that `--baseline` names; empty for a missing file that `--update-baseline` will write. */
function baselineBefore(options: Options): BaselineFile | undefined {
  const file = fileOf("baseline", options);
  if (file === undefined) return undefined;
  const found = baselineIn(file);
  if (found !== undefined) return found;
  if (options.flag("update-baseline")) return { file, baseline: { accepted: [] } };
  throw new UserError(`${notFound(file).message} Write a new baseline with --update-baseline.`);
}

function formatOf({ name }: NamedFile): Render {
  const format = formats.get(extname(name).toLowerCase());
  if (format !== undefined) return format;
  throw new UserError(`--report ${name}: unknown format. Use .json, .sarif, .xml (JUnit), .md or .html.`);
}

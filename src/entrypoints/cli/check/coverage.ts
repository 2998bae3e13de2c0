import { readdirSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import type { CoverageCounts } from "../../../checker/engine/consumer-coverage.ts";
import {
  type CoverageKind,
  type CoverageReport,
  coverageKinds,
  coverageReport,
  percentOf,
} from "../../../checker/reports/coverage-report.ts";
import { renderCoverage, renderCoverageHtml, renderCoverageJson } from "../../../checker/reports/formats/coverage.ts";
import { coverageReader } from "../../../checker/reports/read-coverage.ts";
import { loadSpec } from "../../../foundation/spec/spec.ts";
import { diskFiles } from "../../library/files.ts";
import { type NamedFile, namedFile } from "../../programs/files/named-file.ts";
import { unreadable } from "../../programs/files/unreadable.ts";
import { writeWhole } from "../../programs/files/write-whole.ts";
import { oneOf } from "../../programs/one-of.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import { checkNew, forceFlag } from "../flags/force-flag.ts";
import { isQuiet, quietFlag } from "../flags/quiet-flag.ts";
import { type Environment, listFlag, type Options, type Subcommand, textFlag } from "../options.ts";

export const coverage: Subcommand = {
  name: "check coverage",
  usage: "check coverage FOLDER|FILE… [flags]",
  summary: "Report which operations, statuses and errors the tests of an application have exercised.",
  flags: [
    listFlag("report", "FILE", "write the report to this file: .json or .html"),
    forceFlag,
    textFlag("fail-under", "KIND=N,…", `fail below N per cent: ${coverageKinds.join(", ")}`),
    quietFlag,
  ],
  examples: [
    "understudy check coverage seen",
    "understudy check coverage seen --report coverage.html --fail-under statuses=80,client-rules=60",
  ],
  run: runCoverage,
};

async function runCoverage(options: Options, environment: Environment): Promise<number> {
  const thresholds = thresholdsOf(options.text("fail-under"));
  const inputs = options.positionals.flatMap((name) => filesOf(namedFile(name, options)));
  if (inputs.length === 0) throw new UserError(nothingNamed);
  const files = options.texts("report").map((name) => namedFile(name, options));
  for (const file of files) {
    rendererOf(file);
    checkNew(file, inputs, options);
  }
  const counts = readAll(inputs, environment);
  const profiles = new Map(counts.map(({ profile }) => [`${profile.ledger} ${profile.registry}`, profile]));
  // The order of the files, whose names are random, does not matter.
  const sorted = [...profiles].sort(([left], [right]) => (left < right ? -1 : 1));
  const specs = sorted.map(([, profile]) => loadSpec(profile, { hasAdditionalOperations: true }));
  const report = coverageReport(counts, specs);
  if (report.exchanges === 0) throw new UserError("The files contain no exchange. Run the tests with the stub first.");
  const failures = failuresOf(report, thresholds);
  if (options.flag("json")) environment.print(JSON.stringify({ event: "coverage", failures, ...report }));
  else if (!isQuiet(options) || failures.length > 0) environment.print(renderCoverage(report));
  for (const file of files) writeWhole(file, rendererOf(file)(report, counts), { isReplacing: options.flag("force") });
  for (const failure of failures) environment.printError(failure);
  return failures.length === 0 ? exitCodes.fine : exitCodes.findings;
}

const nothingNamed =
  "check coverage needs coverage files. Run the tests with UNDERSTUDY_COVERAGE=seen, then: understudy check coverage seen";

/** A file that is named itself, or found in a folder. */
interface CoverageInput extends NamedFile {
  readonly isInFolder: boolean;
}

/** The file, or the JSON files of the folder. */
function filesOf(named: NamedFile): readonly CoverageInput[] {
  if (statSync(named.path, { throwIfNoEntry: false })?.isDirectory() !== true) return [{ ...named, isInFolder: false }];
  const inside = readdirSync(named.path).filter((name) => extname(name) === ".json");
  return inside
    .sort()
    .map((name) => ({ name: join(named.name, name), path: join(named.path, name), isInFolder: true }));
}

/**
 * Reads all files. A report in a folder is skipped: it repeats the counts of the files around it. Throws a UserError that names
 * every file that is not a coverage file.
 */
function readAll(files: readonly CoverageInput[], { printError }: Environment): readonly CoverageCounts[] {
  const read = coverageReader();
  const problems: string[] = [];
  const counts = files.flatMap((file) => {
    const text = diskFiles.read(file.path);
    const result = text === undefined ? undefined : read(text);
    if (result === undefined) problems.push(unreadable(file).message);
    else if (result.type === "invalid") problems.push(`${file.name} is not a coverage file: ${result.problem}.`);
    if (result?.type !== "read") return [];
    if (!result.isReport || !file.isInFolder) return result.counts;
    printError(
      `${file.name} is a report, not the coverage of a test run: skipped. To count it too, name the file itself.`,
    );
    return [];
  });
  if (problems.length > 0) throw new UserError(problems.join("\n"));
  return counts;
}

type Renderer = (report: CoverageReport, counts: readonly CoverageCounts[]) => string;

function rendererOf({ name }: NamedFile): Renderer {
  const extension = extname(name).toLowerCase();
  if (extension === ".json") return renderCoverageJson;
  if (extension === ".html") return renderCoverageHtml;
  throw new UserError(`--report ${name}: unknown format. Use .json or .html.`);
}

interface Threshold {
  readonly kind: CoverageKind;
  readonly percent: number;
}

function thresholdsOf(text: string | undefined): readonly Threshold[] {
  return (text?.split(",") ?? []).map((word) => {
    const [, kind = "", percent = ""] = /^([^=]*)=(\d{1,3})$/.exec(word.trim()) ?? [];
    if (percent === "" || Number(percent) > 100)
      throw new UserError(`--fail-under ${word}: not a threshold. Use a kind and 0 to 100, such as statuses=80.`);
    return { kind: oneOf("--fail-under", kind, coverageKinds), percent: Number(percent) };
  });
}

function failuresOf(report: CoverageReport, thresholds: readonly Threshold[]): readonly string[] {
  return thresholds
    .filter(({ kind, percent }) => percentOf(report, kind) < percent)
    .map(({ kind, percent }) => `coverage of ${kind}: ${percentOf(report, kind)} % is below --fail-under ${percent}.`);
}

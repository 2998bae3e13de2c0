import { mergeReports } from "../../../checker/reports/merge-reports.ts";
import { readReport } from "../../../checker/reports/read-report.ts";
import { isComplete, type Report } from "../../../checker/reports/report.ts";
import { plainMask } from "../../../foundation/secrets/mask.ts";
import { loadSpec } from "../../../foundation/spec/spec.ts";
import { diskFiles } from "../../library/files.ts";
import { requiredOf, withRequired } from "../../programs/check/required.ts";
import { type NamedFile, namedFile, namedTwice } from "../../programs/files/named-file.ts";
import { unreadable } from "../../programs/files/unreadable.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import type { Environment, Options, Subcommand } from "../options.ts";
import { checkReportFlags, finish, reportFlags } from "../report/finish-report.ts";
import { gateFlags, wordsOf } from "../report/gate-flags.ts";
import { repeatCommand } from "../report/repeat-command.ts";

export const merge: Subcommand = {
  name: "check merge",
  usage: "check merge REPORT.json… [flags]",
  summary: "Join the JSON reports of checks, such as those of shards, into one verdict.",
  flags: [...gateFlags, ...reportFlags],
  examples: [
    "understudy check merge shard-1.json shard-2.json",
    "understudy check merge shard-*.json --report verdict.html",
  ],
  run: runMerge,
};

async function runMerge(options: Options, environment: Environment): Promise<number> {
  const files = options.positionals.map((name) => namedFile(name, options));
  const twice = namedTwice(files);
  if (twice !== undefined) throw new UserError(`${twice.name} is given twice. Name each report once.`);
  checkReportFlags(options, files);
  const [first, ...others] = readAll(files);
  if (first === undefined)
    throw new UserError("check merge needs at least one report. Write one with: understudy check … --report FILE.json");
  const merged = mergeReports([first, ...others]);
  if (merged.type === "refused")
    throw new UserError(`The reports do not belong together: ${merged.problem}. ${merged.advice}`);
  const { exchanges, unsupported } = merged.report.summary;
  if (exchanges === unsupported)
    throw new UserError("Nothing to check: no exchange calls an operation of the spec.", exitCodes.incomplete);
  const spec = loadSpec(merged.report.summary.profile, { hasAdditionalOperations: true });
  const joined = { ...merged.report, command: repeatCommand(merge, options, plainMask) };
  const given = { require: wordsOf("require", options) };
  const required = requiredOf(given, spec, new Set(["ledger", "registry"]), environment);
  const report = withRequired(joined, required);
  const exitCode = finish(report, options, environment);
  return exitCode === exitCodes.fine && !isComplete(report) ? exitCodes.incomplete : exitCode;
}

/** Reads all reports. Throws a UserError that names every file that is not a report. */
function readAll(files: readonly NamedFile[]): readonly Report[] {
  const problems: string[] = [];
  const reports = files.flatMap(({ name, path }) => {
    const text = diskFiles.read(path);
    const result = text === undefined ? undefined : readReport(text);
    if (result === undefined) problems.push(unreadable({ name, path }).message);
    else if (result.type === "invalid")
      problems.push(
        `${name} is not a report: ${result.problem}. Write one with: understudy check … --report FILE.json`,
      );
    return result?.type === "read" ? [result.report] : [];
  });
  if (problems.length > 0) throw new UserError(problems.join("\n"));
  return reports;
}

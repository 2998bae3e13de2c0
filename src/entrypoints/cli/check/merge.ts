import { mergeReports } from "../../../checker/reports/merge-reports.ts";
import { readReport } from "../../../checker/reports/read-report.ts";
import { isComplete, type Report } from "../../../checker/reports/report.ts";
import { diskFiles } from "../../library/files.ts";
import { type NamedFile, namedFile, namedTwice } from "../files/named-file.ts";
import type { Command, Environment, Options } from "../options.ts";
import { exitCodes, UserError } from "../user-error.ts";
import { checkReportFlags, finish, reportFlags } from "./finish-check.ts";

export const merge: Command = {
  name: "merge",
  usage: "merge REPORT.json… [flags]",
  flags: reportFlags,
  run: runMerge,
};

async function runMerge(options: Options, environment: Environment): Promise<number> {
  const files = options.positionals.map((name) => namedFile(name, options));
  const twice = namedTwice(files);
  if (twice !== undefined) throw new UserError(`${twice.name} is given twice; its findings would count twice.`);
  checkReportFlags(options, files);
  const [first, ...others] = readAll(files);
  if (first === undefined)
    throw new UserError("merge needs at least one report: understudy check … --report FILE.json");
  const merged = mergeReports([first, ...others]);
  if (merged.type === "refused")
    throw new UserError(`The reports do not belong together: ${merged.problem}. ${merged.advice}`);
  const { exchanges, outside } = merged.report.summary;
  if (exchanges === outside)
    throw new UserError("There is nothing to check: no exchange is of an operation of the spec.");
  const exitCode = finish(merged.report, options, environment);
  return isComplete(merged.report) ? exitCode : exitCodes.usage;
}

/** Throws a UserError that names every file that is no report. */
function readAll(files: readonly NamedFile[]): readonly Report[] {
  const problems: string[] = [];
  const reports = files.flatMap(({ name, path }) => {
    const text = diskFiles.read(path);
    const result = text === undefined ? undefined : readReport(text);
    if (result === undefined) problems.push(`There is no file ${name}, or it cannot be read.`);
    else if (result.type === "invalid")
      problems.push(`${name} is no report: ${result.problem}. Write it with check --report.`);
    return result?.type === "read" ? [result.report] : [];
  });
  if (problems.length > 0) throw new UserError(problems.join("\n"));
  return reports;
}

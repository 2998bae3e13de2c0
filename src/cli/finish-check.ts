import { failures, type Report } from "../conformance/report.ts";
import { renderTerminal } from "../conformance/reporters/terminal.ts";
import type { Environment, Flag, Options } from "./options.ts";
import { exitCodes } from "./user-error.ts";
import { writeBigint } from "./write-bigint.ts";

/** Flags that say what becomes of a report. */
export const reportFlags: readonly Flag[] = [];

/** Prints a report and gives the exit code. */
export function finish(report: Report, options: Options, environment: Environment): number {
  environment.print(
    options.flag("json")
      ? JSON.stringify({ event: "verdict", ...report.summary }, writeBigint)
      : renderTerminal(report.summary, environment.isColoured),
  );
  return failures(report).length > 0 || report.summary.violationsDropped > 0 ? exitCodes.findings : exitCodes.fine;
}

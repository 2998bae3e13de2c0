import { failures, isComplete, isFailed, type Report } from "../report.ts";
import { jsonText } from "./_json-text.ts";

/** Renders the whole report as JSON; `schemas/report.schema.json` describes it. */
export function renderJson(report: Report): string {
  const failing = failures(report).map(({ fingerprint }) => fingerprint);
  const result = { isFailed: isFailed(report), isComplete: isComplete(report), failures: failing };
  return jsonText({ version: 2, ...result, ...report });
}

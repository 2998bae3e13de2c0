import { failures, isFailed, type Report } from "../report.ts";
import { jsonText } from "./_json-text.ts";

/** The whole report, as `schemas/report.schema.json` describes it. */
export function renderJson(report: Report): string {
  const failing = failures(report).map(({ fingerprint }) => fingerprint);
  return jsonText({ version: 1, isFailed: isFailed(report), failures: failing, ...report });
}

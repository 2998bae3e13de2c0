import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import schema from "../../../schemas/report.schema.json" with { type: "json" };
import { jsonOf } from "../../foundation/json/json.ts";
import type { Report } from "./report.ts";

export type ReadReport =
  | { readonly type: "read"; readonly report: Report }
  | { readonly type: "invalid"; readonly problem: string };

/** Parses a JSON report and validates it against its schema. */
export function readReport(text: string): ReadReport {
  const value: unknown = jsonOf(text);
  if (value === undefined) return { type: "invalid", problem: "it is not JSON" };
  const isReport = new Ajv2020({ meta: false, validateSchema: false }).compile<WrittenReport>(schema);
  if (!isReport(value)) {
    const [error] = isReport.errors ?? [];
    return { type: "invalid", problem: problemOf(value, error) };
  }
  const { version: _, isFailed: __, isComplete: ___, failures: ____, ...report } = value;
  return { type: "read", report: { ...report, probing: report.probing, baseline: report.baseline } };
}

function problemOf(value: unknown, error: ErrorObject | undefined): string {
  if (typeof value === "object" && value !== null && "log" in value) return "it is a recording (HAR)";
  const place = error?.instancePath || "it";
  const missing: unknown = error?.params["missingProperty"];
  if (typeof missing === "string") return `${place} has no member ${JSON.stringify(missing)}`;
  return `${place} ${error?.message ?? "does not match the schema"}`;
}

/** The written form: the report with derived members. */
interface WrittenReport extends Report {
  readonly version: number;
  readonly isFailed: boolean;
  readonly isComplete: boolean;
  readonly failures: readonly string[];
}

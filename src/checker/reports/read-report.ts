import { Ajv2020 } from "ajv/dist/2020.js";
import schema from "../../../schemas/report.schema.json" with { type: "json" };
import { jsonOf } from "../../foundation/json/json.ts";
import { schemaProblem, versionProblem } from "./format-problem.ts";
import type { Report } from "./report.ts";

type ReadReport =
  | { readonly type: "read"; readonly report: Report }
  | { readonly type: "invalid"; readonly problem: string };

/** Parses a JSON report and validates it against its schema. */
export function readReport(text: string): ReadReport {
  const value: unknown = jsonOf(text);
  if (value === undefined) return { type: "invalid", problem: "it is not JSON" };
  const other = isRecording(value) ? "it is a recording (HAR)" : versionProblem(value, schema.properties.version.const);
  if (other !== undefined) return { type: "invalid", problem: other };
  const isReport = new Ajv2020({ meta: false, validateSchema: false }).compile<WrittenReport>(schema);
  if (!isReport(value)) return { type: "invalid", problem: schemaProblem(isReport.errors?.[0]) };
  const { version: _, isFailed: __, isComplete: ___, failures: ____, ...report } = value;
  return { type: "read", report: { ...report, probing: report.probing, baseline: report.baseline } };
}

function isRecording(value: unknown): boolean {
  return typeof value === "object" && value !== null && "log" in value;
}

/** The written form: the report with derived members. */
interface WrittenReport extends Report {
  readonly version: number;
  readonly isFailed: boolean;
  readonly isComplete: boolean;
  readonly failures: readonly string[];
}

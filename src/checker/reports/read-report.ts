import { Ajv2020 } from "ajv/dist/2020.js";
import schema from "../../../schemas/report.schema.json" with { type: "json" };
import { parseJson } from "../../foundation/json/json.ts";
import type { Report } from "./report.ts";

export type ReadReport =
  | { readonly type: "read"; readonly report: Report }
  | { readonly type: "invalid"; readonly problem: string };

/** Parses a JSON report and validates it against its schema. */
export function readReport(text: string): ReadReport {
  const value = valueIn(text);
  if (value === undefined) return { type: "invalid", problem: "not JSON" };
  const isReport = new Ajv2020({ meta: false, validateSchema: false }).compile<WrittenReport>(schema);
  if (!isReport(value)) {
    const [error] = isReport.errors ?? [];
    return {
      type: "invalid",
      problem: `${error?.instancePath || "the report"} ${error?.message ?? "does not match the schema"}`,
    };
  }
  const { version: _, isFailed: __, isComplete: ___, failures: ____, ...report } = value;
  return { type: "read", report: { ...report, probing: report.probing, baseline: report.baseline } };
}

/** The written form: the report with derived members. */
interface WrittenReport extends Report {
  readonly version: number;
  readonly isFailed: boolean;
  readonly isComplete: boolean;
  readonly failures: readonly string[];
}

function valueIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

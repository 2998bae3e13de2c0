import { Ajv2020 } from "ajv/dist/2020.js";
import schema from "../../../schemas/report.schema.json" with { type: "json" };
import { parseJson } from "../../foundation/json/json.ts";
import type { Report } from "./report.ts";

export type ReadReport =
  | { readonly type: "read"; readonly report: Report }
  | { readonly type: "invalid"; readonly problem: string };

/** Reads a report that was written as JSON, as far as its schema describes it. */
export function readReport(text: string): ReadReport {
  const value = valueIn(text);
  if (value === undefined) return { type: "invalid", problem: "it is not JSON" };
  const isReport = new Ajv2020({ meta: false, validateSchema: false }).compile<WrittenReport>(schema);
  if (!isReport(value)) {
    const [error] = isReport.errors ?? [];
    return { type: "invalid", problem: `${error?.instancePath || "it"} ${error?.message ?? "does not fit"}` };
  }
  const { version: _, isFailed: __, isComplete: ___, failures: ____, ...report } = value;
  return { type: "read", report: { ...report, probing: report.probing, baseline: report.baseline } };
}

/** What the reporter writes besides the report. */
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

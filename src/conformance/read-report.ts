import { isJsonObject, type Json, parseJson } from "../http/json.ts";
import type { Report } from "./report.ts";

/** What a report says that it is; the number grows when older readers would misread it. */
export const reportFormat = "report/1";

export type ReadReport =
  | { readonly type: "read"; readonly report: Report }
  | { readonly type: "mistaken"; readonly problem: string };

/** Reads a report that was written as JSON. */
export function readReport(text: string): ReadReport {
  let value: Json;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { type: "mistaken", problem: "it is not JSON" };
  }
  if (!isJsonObject(value) || value["understudy"] === undefined)
    return { type: "mistaken", problem: 'it has no member "understudy"' };
  if (value["understudy"] !== reportFormat)
    return { type: "mistaken", problem: `it is a ${String(value["understudy"])}, not a ${reportFormat}` };
  const missing = missingIn(value, shape, "");
  if (missing !== undefined) return { type: "mistaken", problem: `${missing} is missing or of another type` };
  const { understudy: _, ...report } = value;
  const untyped: unknown = report;
  // A cast: the shape was checked as far as reports are joined, and the rest is only shown.
  return { type: "read", report: untyped as Report };
}

/** What every report has, by example. */
const shape = {
  level: "",
  sources: [],
  profileReason: "",
  summary: {
    profile: { ledger: "", registry: "" },
    exchanges: 0,
    passed: 0,
    known: 0,
    warned: 0,
    failed: 0,
    outside: 0,
    broken: 0,
    matrix: [],
    violations: [],
    violationsDropped: 0,
    knownDivergences: [],
    unusedDivergences: [],
    unseenOperations: [],
    unseenStatuses: [],
    coverage: {
      unusedRules: [],
      silences: [],
      trace: { forgotten: {}, late: 0, untimed: 0, untracked: 0 },
      cuts: 0,
    },
  },
} as const;

/** The first member of the example that a value lacks. */
function missingIn(value: Json | undefined, example: Json, name: string): string | undefined {
  if (!isJsonObject(example) || !isJsonObject(value)) return isLike(value, example) ? undefined : name;
  return Object.entries(example)
    .map(([member, inner]) => missingIn(value[member], inner, name === "" ? member : `${name}.${member}`))
    .find((missing) => missing !== undefined);
}

function isLike(value: Json | undefined, example: Json): boolean {
  return Array.isArray(example)
    ? Array.isArray(value)
    : typeof value === typeof example && value !== null && !isJsonObject(example);
}

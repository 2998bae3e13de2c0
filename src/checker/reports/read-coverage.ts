import { Ajv2020 } from "ajv/dist/2020.js";
import schema from "../../../schemas/coverage.schema.json" with { type: "json" };
import { jsonOf } from "../../foundation/json/json.ts";
import { profileNamesOf } from "../../foundation/spec/spec.ts";
import type { CoverageCounts } from "../engine/consumer-coverage.ts";

/** Counts as a stub writes them: a file, and a response of the control API. */
export interface CoverageFile {
  readonly version: 1;
  readonly counts: readonly CoverageCounts[];
}

export type ReadCoverage =
  | { readonly type: "read"; readonly counts: readonly CoverageCounts[] }
  | { readonly type: "invalid"; readonly problem: string };

/** Parses a coverage file or report, and validates it against its schema. */
export function readCoverage(text: string): ReadCoverage {
  const value: unknown = jsonOf(text);
  if (value === undefined) return { type: "invalid", problem: "it is not JSON" };
  const isCoverage = new Ajv2020({ meta: false, validateSchema: false }).compile<CoverageFile>(schema);
  if (!isCoverage(value)) {
    const [error] = isCoverage.errors ?? [];
    return {
      type: "invalid",
      problem: `${error?.instancePath || "it"} ${error?.message ?? "does not match the schema"}`,
    };
  }
  const unknown = value.counts.find(
    ({ profile: { ledger, registry } }) =>
      !profileNamesOf("ledger").includes(ledger) || !profileNamesOf("registry").includes(registry),
  );
  if (unknown === undefined) return { type: "read", counts: value.counts };
  const { ledger, registry } = unknown.profile;
  return { type: "invalid", problem: `this version has no profile ${ledger} with registry ${registry}` };
}

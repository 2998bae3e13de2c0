import { Ajv2020 } from "ajv/dist/2020.js";
import schema from "../../../schemas/coverage.schema.json" with { type: "json" };
import { jsonOf } from "../../foundation/json/json.ts";
import { profileNamesOf } from "../../foundation/spec/spec.ts";
import type { CoverageCounts } from "../engine/consumer-coverage.ts";
import { schemaProblem, versionProblem } from "./format-problem.ts";

/** Counts as a stub writes them: a file, and a response of the control API. */
export interface CoverageFile {
  readonly version: 1;
  readonly counts: readonly CoverageCounts[];
  /** Only in a report, which has the counts of other files. */
  readonly report?: object;
}

type ReadCoverage =
  | { readonly type: "read"; readonly counts: readonly CoverageCounts[]; readonly isReport: boolean }
  | { readonly type: "invalid"; readonly problem: string };

/** Parses coverage files or reports, and validates them against their schema, which is compiled once for all. */
export function coverageReader(): (text: string) => ReadCoverage {
  const isCoverage = new Ajv2020({ meta: false, validateSchema: false }).compile<CoverageFile>(schema);
  return (text) => {
    const value: unknown = jsonOf(text);
    if (value === undefined) return { type: "invalid", problem: "it is not JSON" };
    const other = versionProblem(value, schema.properties.version.const);
    if (other !== undefined) return { type: "invalid", problem: other };
    if (!isCoverage(value)) return { type: "invalid", problem: schemaProblem(isCoverage.errors?.[0]) };
    const unknown = value.counts.find(
      ({ profile: { ledger, registry } }) =>
        !profileNamesOf("ledger").includes(ledger) || !profileNamesOf("registry").includes(registry),
    );
    if (unknown === undefined) return { type: "read", counts: value.counts, isReport: value.report !== undefined };
    const { ledger, registry } = unknown.profile;
    return { type: "invalid", problem: `this version has no profile ${ledger} with registry ${registry}` };
  };
}

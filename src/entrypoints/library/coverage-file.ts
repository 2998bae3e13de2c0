import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClientChecker } from "../../checker/engine/client-checker.ts";
import { ConsumerCoverage } from "../../checker/engine/consumer-coverage.ts";
import type { CoverageFile } from "../../checker/reports/read-coverage.ts";
import { type GivenProfileNames, knownProfiles, loadSpec } from "../../foundation/spec/spec.ts";
import type { HostingOptions } from "../../stub/hosting/hosting-options.ts";

/** The folder for coverage files, from the environment; undefined if coverage is not counted. */
export function coverageFolder(): string | undefined {
  const folder = process.env["UNDERSTUDY_COVERAGE"];
  return folder === "" ? undefined : folder;
}

/** Options of a hosting that counts what the clients of its worlds exercise. */
export function countedClients(names: GivenProfileNames): Pick<HostingOptions, "coverage" | "createClientRules"> {
  const profile = knownProfiles(names);
  const coverage = new ConsumerCoverage(profile);
  return {
    coverage,
    createClientRules: (_worldId, { isWhole }) =>
      new ClientChecker({
        spec: loadSpec(profile, { hasAdditionalOperations: true }),
        order: "one-by-one",
        isWhole,
        isOneWorld: true,
        coverage,
      }),
  };
}

/** Writes the counts to a new file of the folder and returns its path; undefined without exchanges. Throws the system's error. */
export function writeCoverage(coverage: ConsumerCoverage, folder: string): string | undefined {
  const counts = coverage.counts();
  if (counts.exchanges === 0) return undefined;
  const file: CoverageFile = { version: 1, counts: [counts] };
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${randomUUID()}.json`);
  writeFileSync(path, `${JSON.stringify(file)}\n`);
  return path;
}

import { createHash } from "node:crypto";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longest, the longest first, from the root of the repository. */
const longest: readonly string[] = [
  "test/mutants/mutants.deep.test.ts",
  "test/mutants/sentences/spec.deep.test.ts",
  "test/mutants/sentences/release.deep.test.ts",
  "test/simulation/simulation.deep.test.ts",
  "test/acceptance/packed.deep.test.ts",
  "test/acceptance/probes.deep.test.ts",
  "test/acceptance/run-altered.deep.test.ts",
  "test/acceptance/second-runner.deep.test.ts",
  "test/browser/inspector-views.deep.test.ts",
  "test/browser/inspector-traffic.deep.test.ts",
  "test/browser/site.deep.test.ts",
  "test/acceptance/record-killed.deep.test.ts",
  "test/acceptance/pages.deep.test.ts",
  "test/acceptance/probes.test.ts",
  "test/acceptance/check-target.deep.test.ts",
  "test/acceptance/recordings.test.ts",
];

/** Has the files that take longest begin first, so that no core is idle while the last of them ends. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence;
    if (shuffle === true) return files.toSorted((one, other) => (drawn(one, seed) < drawn(other, seed) ? -1 : 1));
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
  return rank === -1 ? longest.length : rank;
}

/** The same for the same seed. */
function drawn({ moduleId }: TestSpecification, seed: number): string {
  return createHash("sha256").update(`${seed} ${moduleId}`).digest("hex");
}

import { createHash } from "node:crypto";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longest, the longest first, from the root of the repository. */
const longest: readonly string[] = [];

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

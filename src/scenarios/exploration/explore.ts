import type { Arbitrary } from "fast-check";
import type { FastCheck } from "./fast-check.ts";
import { runSequence, type Side, type Walk } from "./run-sequence.ts";
import type { Step } from "./step.ts";
import type { StepSequence } from "./steps.ts";

/** What an exploration is to do. */
export interface Options {
  readonly passages: Arbitrary<StepSequence>;
  /** Opens a fresh world of the oracle and one of the target. */
  readonly openOracle: () => Promise<Side>;
  readonly openTarget: () => Promise<Side>;
  readonly stepsMax: number;
  readonly walkLength: number;
  readonly seed: number;
  /** Where fast-check found a difference before; the walk there comes first. */
  readonly path: string | undefined;
  /** What the ids of the users that the nth walk makes begin with. */
  readonly prefixOf: (walk: number) => string;
  /** Told after each walk. */
  readonly onWalk: (progress: Progress) => void;
  /** Whether the user asked to stop. */
  readonly isStopped: () => boolean;
}

export interface Progress {
  readonly walks: number;
  readonly steps: number;
  /** Whether a difference was found and the walk is being shortened. */
  readonly isShrinking: boolean;
}

/** What was walked, and the shortest walk to a difference. */
export interface Exploration {
  readonly walks: number;
  readonly steps: number;
  readonly isStopped: boolean;
  /** How often each operation answered with each status, on the oracle's side. */
  readonly met: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly finding: Finding | undefined;
}

export interface Finding {
  readonly walk: Walk;
  /** Repeats the walk, with the seed. */
  readonly path: string;
  readonly shrinks: number;
}

/** Walks at random until a difference is found or the steps are used up. Rejects with what a side rejects with. */
export async function explore(options: Options, fc: FastCheck): Promise<Exploration> {
  const run = new Run(options);
  const { walkLength, stepsMax, seed, path } = options;
  const walks = drawnUntil(fc, walksOf(fc, options.passages, walkLength), () => run.isOver);
  const property = fc.asyncProperty(walks, async (passages) => {
    const walk = await run.take(passages.flat().slice(0, walkLength));
    return walk?.difference === undefined;
  });
  const outcome = await fc.check(property, {
    seed,
    // A few walks more than would do: some are shorter.
    numRuns: Math.ceil((stepsMax / walkLength) * 1.02) + 1,
    ...(path === undefined ? {} : { path }),
  });
  if (run.fault !== undefined) throw run.fault.cause;
  const { found } = run;
  return {
    walks: run.walks,
    steps: run.steps,
    isStopped: options.isStopped(),
    met: run.met,
    finding:
      found === undefined
        ? undefined
        : { walk: found, path: outcome.counterexamplePath ?? "", shrinks: outcome.numShrinks },
  };
}

/**
 * Walks of that many places, each with a passage or an empty one. That is how a walk gets shorter: every passage, and
 * every step of it, can be left out by itself.
 */
function walksOf(fc: FastCheck, passages: Arbitrary<StepSequence>, walkLength: number): Arbitrary<StepSequence[]> {
  const place = fc.oneof(
    { withCrossShrink: true, depthSize: "max" },
    { arbitrary: fc.constant<StepSequence>([]), weight: 1 },
    { arbitrary: passages, weight: 999 },
  );
  return fc.array(place, { minLength: walkLength, maxLength: walkLength });
}

/** fast-check goes through all of its runs, and drawing them takes long: once it is over, none is drawn. */
function drawnUntil<Value>(
  fc: FastCheck,
  inner: Arbitrary<readonly Value[]>,
  isOver: () => boolean,
): Arbitrary<readonly Value[]> {
  class DrawnUntil extends fc.Arbitrary<readonly Value[]> {
    generate(...given: Parameters<typeof inner.generate>): ReturnType<typeof inner.generate> {
      return isOver() ? new fc.Value([], undefined) : inner.generate(...given);
    }

    canShrinkWithoutContext(value: unknown): value is readonly Value[] {
      return inner.canShrinkWithoutContext(value);
    }

    shrink(value: readonly Value[], context: unknown): ReturnType<typeof inner.shrink> {
      return inner.shrink(value, context);
    }
  }
  return new DrawnUntil();
}

/** One exploration as it goes. */
class Run {
  walks = 0;
  steps = 0;
  /** The last walk that came to a difference: fast-check goes on from it to shorter ones. */
  found: Walk | undefined;
  fault: { readonly cause: unknown } | undefined;
  readonly met = new Map<string, Map<string, number>>();
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether there is nothing more to do: a difference that was found is still made shorter, whatever the steps. */
  get isOver(): boolean {
    const { isStopped, stepsMax } = this.#options;
    return this.fault !== undefined || (this.found === undefined && this.steps >= stepsMax) || isStopped();
  }

  /** Undefined once there is nothing more to do: fast-check would take an error of ours for a difference. */
  async take(steps: readonly Step[]): Promise<Walk | undefined> {
    const { openOracle, openTarget, prefixOf, onWalk } = this.#options;
    if (this.isOver) return undefined;
    try {
      const walk = await between(openOracle, openTarget, (sides) => runSequence(steps, sides, prefixOf(this.walks)));
      this.#count(walk);
      onWalk({ walks: this.walks, steps: this.steps, isShrinking: this.found !== undefined });
      return walk;
    } catch (cause) {
      this.fault = { cause };
      return undefined;
    }
  }

  #count(walk: Walk): void {
    this.walks += 1;
    this.steps += walk.taken.length;
    if (walk.difference !== undefined) this.found = walk;
    for (const { step, oracle } of walk.taken) {
      const statuses = this.met.get(step.operationId) ?? new Map<string, number>();
      this.met.set(step.operationId, statuses);
      const status = oracle.response.type === "response" ? String(oracle.response.status) : oracle.response.kind;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
}

/** Opens both sides, and leaves them whatever happens between. */
async function between<Result>(
  openOracle: () => Promise<Side>,
  openTarget: () => Promise<Side>,
  use: (sides: { readonly oracle: Side; readonly target: Side }) => Promise<Result>,
): Promise<Result> {
  const target = await openTarget();
  try {
    const oracle = await openOracle();
    try {
      return await use({ oracle, target });
    } finally {
      await oracle.end();
    }
  } finally {
    await target.end();
  }
}

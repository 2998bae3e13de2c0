import type { Arbitrary } from "fast-check";
import type { FastCheck } from "./fast-check.ts";
import { runSequence, type SequenceRun, type Side } from "./run-sequence.ts";
import type { Step } from "./step.ts";
import type { StepSequence } from "./steps.ts";

/** Options of an exploration. */
export interface ExploreOptions {
  readonly sequences: Arbitrary<StepSequence>;
  /** Opens a fresh world of the oracle and one of the target. */
  readonly openOracle: () => Promise<Side>;
  readonly openTarget: () => Promise<Side>;
  readonly stepsMax: number;
  readonly runLength: number;
  readonly seed: number;
  /** The fast-check path of an earlier finding; that sequence runs first. */
  readonly path: string | undefined;
  /** The prefix of the ids of users that the nth run creates. */
  readonly prefixOf: (run: number) => string;
  /** Called after each run. */
  readonly onRun: (progress: Progress) => void;
  /** Whether the user asked to stop. */
  readonly isStopped: () => boolean;
}

export interface Progress {
  readonly runs: number;
  readonly steps: number;
  /** Whether a difference was found and its sequence is being shrunk. */
  readonly isShrinking: boolean;
}

/** Counts of an exploration, and its finding. */
export interface Exploration {
  readonly runs: number;
  readonly steps: number;
  readonly isStopped: boolean;
  /** Responses of the oracle, counted by operation and status. */
  readonly statusCounts: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly finding: Finding | undefined;
}

/** The shortest request sequence that led to a difference. */
export interface Finding {
  readonly run: SequenceRun;
  /** The fast-check path: with the seed it repeats the run. */
  readonly path: string;
  readonly shrinks: number;
}

/**
 * Stateful differential testing: runs random request sequences against the oracle and the target until a difference is
 * found or all steps are used. Rejects with the error of a side.
 */
export async function explore(options: ExploreOptions, fc: FastCheck): Promise<Exploration> {
  const exploration = new ExplorationRun(options);
  const { runLength, stepsMax, seed, path } = options;
  const runs = generatedUntil(fc, runsOf(fc, options.sequences, runLength), () => exploration.isOver);
  const property = fc.asyncProperty(runs, async (sequences) => {
    const run = await exploration.take(sequences.flat().slice(0, runLength));
    return run?.difference === undefined;
  });
  const outcome = await fc.check(property, {
    seed,
    // Some runs are shorter than `runLength`, so a few more are needed.
    numRuns: Math.ceil((stepsMax / runLength) * 1.02) + 1,
    ...(path === undefined ? {} : { path }),
  });
  if (exploration.fault !== undefined) throw exploration.fault.cause;
  const { found } = exploration;
  return {
    runs: exploration.runs,
    steps: exploration.steps,
    isStopped: options.isStopped(),
    statusCounts: exploration.statusCounts,
    finding:
      found === undefined
        ? undefined
        : { run: found, path: outcome.counterexamplePath ?? "", shrinks: outcome.numShrinks },
  };
}

/** Generates lists of sequences, some of them empty. So shrinking can remove each sequence, and each step of it, by itself. */
function runsOf(fc: FastCheck, sequences: Arbitrary<StepSequence>, runLength: number): Arbitrary<StepSequence[]> {
  const place = fc.oneof(
    { withCrossShrink: true, depthSize: "max" },
    { arbitrary: fc.constant<StepSequence>([]), weight: 1 },
    { arbitrary: sequences, weight: 999 },
  );
  return fc.array(place, { minLength: runLength, maxLength: runLength });
}

/** Stops generating when the exploration is over: fast-check goes through all its runs, and generating values is slow. */
function generatedUntil<Value>(
  fc: FastCheck,
  inner: Arbitrary<readonly Value[]>,
  isOver: () => boolean,
): Arbitrary<readonly Value[]> {
  class GeneratedUntil extends fc.Arbitrary<readonly Value[]> {
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
  return new GeneratedUntil();
}

/** The state of one exploration. */
class ExplorationRun {
  runs = 0;
  steps = 0;
  /** The last run with a difference; fast-check shrinks it further. */
  found: SequenceRun | undefined;
  fault: { readonly cause: unknown } | undefined;
  readonly statusCounts = new Map<string, Map<string, number>>();
  readonly #options: ExploreOptions;

  constructor(options: ExploreOptions) {
    this.#options = options;
  }

  /** Whether the exploration has ended. A difference is still shrunk when all steps are used. */
  get isOver(): boolean {
    const { isStopped, stepsMax } = this.#options;
    return this.fault !== undefined || (this.found === undefined && this.steps >= stepsMax) || isStopped();
  }

  /** Undefined when the exploration has ended. Stores our own errors, which fast-check would take for a difference. */
  async take(steps: readonly Step[]): Promise<SequenceRun | undefined> {
    const { openOracle, openTarget, prefixOf, onRun } = this.#options;
    if (this.isOver) return undefined;
    try {
      const run = await between(openOracle, openTarget, (sides) => runSequence(steps, sides, prefixOf(this.runs)));
      this.#count(run);
      onRun({ runs: this.runs, steps: this.steps, isShrinking: this.found !== undefined });
      return run;
    } catch (cause) {
      this.fault = { cause };
      return undefined;
    }
  }

  #count(run: SequenceRun): void {
    this.runs += 1;
    this.steps += run.executed.length;
    if (run.difference !== undefined) this.found = run;
    for (const { step, oracle } of run.executed) {
      const statuses = this.statusCounts.get(step.operationId) ?? new Map<string, number>();
      this.statusCounts.set(step.operationId, statuses);
      const status = oracle.response.type === "response" ? String(oracle.response.status) : oracle.response.kind;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
}

/** Opens both sides, and closes them in every case. */
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

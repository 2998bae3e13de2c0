import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";
import { durationMs } from "../../foundation/text/duration.ts";
import type { Scenario } from "../files/load-scenario.ts";
import { type Adjustments, assembled, recordedOf, withResponses } from "./draft.ts";
import { plannedResponses } from "./planned-responses.ts";
import { type CreateStub, type Disagreement, rehearse } from "./rehearse.ts";
import type { DraftStep } from "./steps.ts";

/** Limit of trial runs of the scenario for comparing candidates. After it the first candidate that works is taken. */
const trialsMax = 300;
const secondMs = 1000;

export interface Refined {
  readonly adjustments: Adjustments;
  /** Disagreements that a planned response resolved. */
  readonly planned: readonly Disagreement[];
  /** Disagreements that remain. */
  readonly unresolved: readonly Disagreement[];
}

/** Plays the steps until every response agrees. Resolves each disagreement by advancing the clock, else by a planned response. */
export async function refine(
  scenario: Scenario,
  steps: readonly DraftStep[],
  clockAdvances: ReadonlyMap<number, number>,
  createStub: CreateStub,
): Promise<Refined> {
  const recorded = recordedOf(steps);
  const counts = countsOf(steps);
  let trials = 0;
  let adjustments: Adjustments = { responses: [], clockAdvances };
  let left = await attempt(adjustments);
  const planned: Disagreement[] = [];
  const unresolved = new Map<number, Disagreement>();
  for (let open = next(); open !== undefined; open = next()) {
    const first = open;
    const candidates = candidatesFor(first, adjustments, steps, counts);
    const found = await best(first, candidates);
    if (found === undefined) {
      unresolved.set(first.place, first);
      continue;
    }
    if (found.adjustments.responses.length > adjustments.responses.length) planned.push(first);
    adjustments = found.adjustments;
    left = found.left;
  }
  return { adjustments, planned, unresolved: [...unresolved.values()] };

  function next(): Disagreement | undefined {
    return left.find(({ place }) => !unresolved.has(place));
  }

  async function attempt({ responses, clockAdvances: advances }: Adjustments): Promise<readonly Disagreement[]> {
    trials += 1;
    const written = assembled(steps, advances, () => []);
    const { disagreements } = await rehearse(withResponses(scenario, responses, steps), written, recorded, createStub);
    return disagreements;
  }

  /** Among the candidates that resolve this disagreement, the one with the fewest others left; the first if several are equal. */
  async function best(
    { place }: Disagreement,
    candidates: readonly Adjustments[],
  ): Promise<{ readonly adjustments: Adjustments; readonly left: readonly Disagreement[] } | undefined> {
    let found: { readonly adjustments: Adjustments; readonly left: readonly Disagreement[] } | undefined;
    for (const candidate of candidates) {
      if (found !== undefined && (found.left.length === 0 || trials > trialsMax)) break;
      const rest = await attempt(candidate);
      const agrees = rest.every((other) => other.place > place || unresolved.has(other.place));
      if (agrees && (found === undefined || rest.length < found.left.length))
        found = { adjustments: candidate, left: rest };
    }
    return found;
  }
}

function candidatesFor(
  { place }: Disagreement,
  { responses, clockAdvances }: Adjustments,
  steps: readonly DraftStep[],
  counts: readonly number[],
): readonly Adjustments[] {
  const step = steps[place];
  if (step === undefined) return [];
  const byMs = unadvancedMs(place, steps, clockAdvances);
  const advancing =
    byMs < secondMs
      ? []
      : [{ responses, clockAdvances: new Map(clockAdvances).set(place, byMs + (clockAdvances.get(place) ?? 0)) }];
  const planning =
    step.call.operation.api === "control"
      ? []
      : plannedResponses(step.call, counts[place] ?? 1).map((entry) => ({
          responses: [...responses, entry],
          clockAdvances,
        }));
  return [...advancing, ...planning];
}

/** Recorded time up to this call that the clock was not advanced by, in milliseconds; whole seconds. */
function unadvancedMs(place: number, steps: readonly DraftStep[], clockAdvances: ReadonlyMap<number, number>): number {
  const startedMs = (step: DraftStep | undefined) => Date.parse(step?.call.exchange.startedAt ?? "");
  const recordedMs = startedMs(steps[place]) - startedMs(steps[0]);
  if (Number.isNaN(recordedMs)) return 0;
  const passedMs = [...clockAdvances].filter(([at]) => at <= place).reduce((sum, [, byMs]) => sum + byMs, 0);
  const advancedMs = steps
    .slice(0, place)
    .filter(({ call }) => call.operation.operationId === "advanceClock" && call.status === 200)
    .reduce((sum, { call }) => sum + (durationMs(textOf(objectOf(call.body)["by"])) ?? 0), 0);
  return Math.floor((recordedMs - passedMs - advancedMs) / secondMs) * secondMs;
}

/** For each step the number of its call among those of its operation, from 1. */
function countsOf(steps: readonly DraftStep[]): readonly number[] {
  const counts = new Map<string, number>();
  return steps.map(({ call }) => {
    const { operationId } = call.operation;
    const nth = (counts.get(operationId) ?? 0) + 1;
    counts.set(operationId, nth);
    return nth;
  });
}

/** Plan entries ordered by call number. */
export function inOrder(responses: readonly JsonObject[]): readonly JsonObject[] {
  return [...responses].sort((left, right) => Number(left["nth"]) - Number(right["nth"]));
}

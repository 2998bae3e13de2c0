import type { Exchange } from "../../foundation/http/exchange.ts";
import type { JsonObject } from "../../foundation/json/json.ts";
import type { Scenario } from "../files/load-scenario.ts";
import { assembled } from "./draft.ts";
import { plannedResponse } from "./planned-response.ts";
import { type CreateStub, type Disagreement, rehearse } from "./rehearse.ts";
import type { DraftStep } from "./steps.ts";

export interface PlannedDifferences {
  /** Plan entries with recorded responses. */
  readonly responses: readonly JsonObject[];
  /** The stub's responses that the entries replace. */
  readonly planned: readonly Disagreement[];
  /** Responses of the stub that no plan entry can replace. */
  readonly unresolved: readonly Disagreement[];
  /** The stub's exchanges, by place. */
  readonly played: ReadonlyMap<number, Exchange>;
}

/** Limit of times that the steps are played; then all differences left are planned at once. */
const passesMax = 30;

/**
 * Plans each recorded response that the stub does not give. A planned refusal undoes what the stub did, which may explain
 * later differences, so the steps are played again after each one.
 */
export async function planDifferences(
  scenarioWith: (responses: readonly JsonObject[]) => Scenario,
  steps: readonly DraftStep[],
  createStub: CreateStub,
): Promise<PlannedDifferences> {
  const written = assembled(steps, () => []);
  const entries = entriesOf(steps);
  const replaced = new Map<number, Disagreement>();
  const unresolved = new Map<number, Disagreement>();
  let passes = 0;
  for (;;) {
    const places = [...replaced.keys()].sort((left, right) => left - right);
    const responses = places.map((place) => entries[place]).filter((entry) => entry !== undefined);
    const { disagreements, played } = await rehearse(createStub(scenarioWith(responses)), written, steps);
    const open = disagreements.filter(({ place }) => !unresolved.has(place));
    const planned = places.flatMap((place) => replaced.get(place) ?? []);
    if (open.length === 0) return { responses, planned, unresolved: [...unresolved.values()], played };
    passes += 1;
    const firstUndone = passes < passesMax ? open.findIndex(({ place }) => isUndone(steps[place], entries[place])) : -1;
    for (const disagreement of open.slice(0, firstUndone < 0 ? open.length : firstUndone + 1)) {
      const { place } = disagreement;
      if (entries[place] !== undefined && !replaced.has(place)) replaced.set(place, disagreement);
      else {
        replaced.delete(place);
        unresolved.set(place, disagreement);
      }
    }
  }
}

/** Whether an entry undoes the effect of a request. */
function isUndone(step: DraftStep | undefined, entry: JsonObject | undefined): boolean {
  return step?.call.operation.method !== "GET" && entry?.["instead"] !== undefined;
}

/** For each step the plan entry with its recorded response. */
function entriesOf(steps: readonly DraftStep[]): readonly (JsonObject | undefined)[] {
  const counts = new Map<string, number>();
  return steps.map(({ call }) => {
    const { operationId } = call.operation;
    const nth = (counts.get(operationId) ?? 0) + 1;
    counts.set(operationId, nth);
    return plannedResponse(call, nth);
  });
}

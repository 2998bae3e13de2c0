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

/**
 * Plans each recorded response that the stub does not give. A refusal that is planned changes the world, so the steps are
 * played again after each planned change.
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
  for (;;) {
    const places = [...replaced.keys()].sort((left, right) => left - right);
    const responses = places.map((place) => entries[place]).filter((entry) => entry !== undefined);
    const { disagreements, played } = await rehearse(createStub(scenarioWith(responses)), written, steps);
    const open = disagreements.filter(({ place }) => !unresolved.has(place));
    const planned = places.flatMap((place) => replaced.get(place) ?? []);
    if (open.length === 0) return { responses, planned, unresolved: [...unresolved.values()], played };
    const firstChange = open.findIndex(({ place }) => steps[place]?.call.operation.method !== "GET");
    for (const disagreement of open.slice(0, firstChange < 0 ? open.length : firstChange + 1)) {
      const { place } = disagreement;
      if (entries[place] !== undefined && !replaced.has(place)) replaced.set(place, disagreement);
      else {
        replaced.delete(place);
        unresolved.set(place, disagreement);
      }
    }
  }
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

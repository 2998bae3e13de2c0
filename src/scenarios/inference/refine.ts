import type { JsonObject } from "../../foundation/json/json.ts";
import { durationMs } from "../../foundation/text/duration.ts";
import type { Scenario } from "../files/load-scenario.ts";
import { objectOf, textOf } from "./_json.ts";
import { assembled, type Findings, recordedOf, withResponses } from "./draft.ts";
import { plannedResponses } from "./planned-responses.ts";
import { type CreateStub, type Disagreement, rehearse } from "./rehearse.ts";
import type { DraftStep } from "./steps.ts";

/** Runs of the whole scenario that choosing between explanations may take; after that the first that works is taken. */
const trialsMax = 300;
const secondMs = 1000;

export interface Refined {
  readonly findings: Findings;
  /** What the stub answered before the plan answered for it, by place. */
  readonly planned: readonly Disagreement[];
  /** What neither the world nor the plan gives. */
  readonly unresolved: readonly Disagreement[];
}

/** Lets the stub play the steps until every response agrees: what no state explains is explained by time, else planned. */
export async function refine(
  scenario: Scenario,
  steps: readonly DraftStep[],
  passages: ReadonlyMap<number, number>,
  createStub: CreateStub,
): Promise<Refined> {
  const recorded = recordedOf(steps);
  const counts = countsOf(steps);
  let trials = 0;
  let findings: Findings = { responses: [], passages };
  let left = await attempt(findings);
  const planned: Disagreement[] = [];
  const unresolved = new Map<number, Disagreement>();
  for (let open = next(); open !== undefined; open = next()) {
    const first = open;
    const candidates = candidatesFor(first, findings, steps, counts);
    const found = await best(first, candidates);
    if (found === undefined) {
      unresolved.set(first.place, first);
      continue;
    }
    if (found.findings.responses.length > findings.responses.length) planned.push(first);
    findings = found.findings;
    left = found.left;
  }
  return { findings, planned, unresolved: [...unresolved.values()] };

  function next(): Disagreement | undefined {
    return left.find(({ place }) => !unresolved.has(place));
  }

  async function attempt({ responses, passages: passing }: Findings): Promise<readonly Disagreement[]> {
    trials += 1;
    const written = assembled(steps, passing, () => []);
    const { disagreements } = await rehearse(withResponses(scenario, responses, steps), written, recorded, createStub);
    return disagreements;
  }

  /** Of the candidates that let this response agree the one that leaves the fewest others; the first of several. */
  async function best(
    { place }: Disagreement,
    candidates: readonly Findings[],
  ): Promise<{ readonly findings: Findings; readonly left: readonly Disagreement[] } | undefined> {
    let found: { readonly findings: Findings; readonly left: readonly Disagreement[] } | undefined;
    for (const candidate of candidates) {
      if (found !== undefined && (found.left.length === 0 || trials > trialsMax)) break;
      const rest = await attempt(candidate);
      const agrees = rest.every((other) => other.place > place || unresolved.has(other.place));
      if (agrees && (found === undefined || rest.length < found.left.length))
        found = { findings: candidate, left: rest };
    }
    return found;
  }
}

function candidatesFor(
  { place }: Disagreement,
  { responses, passages }: Findings,
  steps: readonly DraftStep[],
  counts: readonly number[],
): readonly Findings[] {
  const step = steps[place];
  if (step === undefined) return [];
  const byMs = unpassedMs(place, steps, passages);
  const passing =
    byMs < secondMs ? [] : [{ responses, passages: new Map(passages).set(place, byMs + (passages.get(place) ?? 0)) }];
  const planning =
    step.call.operation.api === "control"
      ? []
      : plannedResponses(step.call, counts[place] ?? 1).map((entry) => ({
          responses: [...responses, entry],
          passages,
        }));
  return [...passing, ...planning];
}

/** How much longer the recording took until here than the clock has been advanced, in whole seconds. */
function unpassedMs(place: number, steps: readonly DraftStep[], passages: ReadonlyMap<number, number>): number {
  const startedMs = (step: DraftStep | undefined) => Date.parse(step?.call.exchange.startedAt ?? "");
  const recordedMs = startedMs(steps[place]) - startedMs(steps[0]);
  if (Number.isNaN(recordedMs)) return 0;
  const passedMs = [...passages].filter(([at]) => at <= place).reduce((sum, [, byMs]) => sum + byMs, 0);
  const advancedMs = steps
    .slice(0, place)
    .filter(({ call }) => call.operation.operationId === "advanceClock" && call.status === 200)
    .reduce((sum, { call }) => sum + (durationMs(textOf(objectOf(call.body)["by"])) ?? 0), 0);
  return Math.floor((recordedMs - passedMs - advancedMs) / secondMs) * secondMs;
}

/** Which call of its operation each step is, from 1. */
function countsOf(steps: readonly DraftStep[]): readonly number[] {
  const counts = new Map<string, number>();
  return steps.map(({ call }) => {
    const { operationId } = call.operation;
    const nth = (counts.get(operationId) ?? 0) + 1;
    counts.set(operationId, nth);
    return nth;
  });
}

/** The entries of a plan in the order of what they respond. */
export function inOrder(responses: readonly JsonObject[]): readonly JsonObject[] {
  return [...responses].sort((left, right) => Number(left["nth"]) - Number(right["nth"]));
}

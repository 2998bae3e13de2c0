import type { Exchange } from "../../foundation/http/exchange.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import { mediaType } from "../../foundation/http/header.ts";
import type { Response } from "../../foundation/http/response.ts";
import { isSameJson, type Json, type JsonObject, jsonOf } from "../../foundation/json/json.ts";
import type { Scenario } from "../files/load-scenario.ts";
import { runStep } from "../files/run-step.ts";
import { assembled } from "./draft.ts";
import { plannedResponse } from "./planned-response.ts";
import type { RecordedCall } from "./recorded-call.ts";
import { type Difference, ResponseComparison } from "./response-comparison.ts";
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

/** Creates an in-process stub with a fresh world of a scenario and a control API. */
export type CreateStub = (scenario: Scenario) => Handler;

/** A step with a stub response that differs from the recorded one. */
export interface Disagreement {
  /** The call's place, from 0. */
  readonly place: number;
  readonly difference: Difference;
  /** The stub's response. */
  readonly received: Response | FailedResponse;
}

/** The result of playing the steps. */
interface Rehearsal {
  readonly disagreements: readonly Disagreement[];
  /** The stub's exchanges, by place. */
  readonly played: ReadonlyMap<number, Exchange>;
}

const stepOptions = { nowMs: () => 0, hasControl: true };

/**
 * Sends all steps to the stub in order and compares each response with the recorded one. Generated ids of both sides are
 * matched one for one. Steps without a recorded response are not compared.
 */
export async function rehearse(
  handler: Handler,
  written: readonly JsonObject[],
  steps: readonly DraftStep[],
): Promise<Rehearsal> {
  const outputs = new Map<string, Readonly<Record<string, Json>>>();
  const comparison = new ResponseComparison();
  const disagreements: Disagreement[] = [];
  const played = new Map<number, Exchange>();
  for (const [place, { call }] of steps.entries()) {
    const {
      exchange,
      stepId,
      outputs: values,
    } = await runStep(written[place] ?? {}, { outputs }, { ...stepOptions, handler });
    outputs.set(stepId, values);
    const { response } = call.exchange;
    if (exchange === undefined) continue;
    played.set(place, exchange);
    if (response.type === "broken" && response.kind === "unexplained") continue;
    comparison.noteRequests(
      { target: exchange.request.target, body: exchange.request.body.text() },
      { target: call.exchange.request.target, body: call.requestText },
    );
    const difference = comparison.difference(exchange.response, response, call.operation.api === "control");
    if (difference !== undefined && !isSame(exchange.response, call))
      disagreements.push({ place, difference, received: exchange.response });
  }
  return { disagreements, played };
}

/** Whether the response equals the recorded one exactly, as planned responses do, ids included. */
function isSame(received: Response | FailedResponse, { exchange: { response }, responseText }: RecordedCall): boolean {
  if (received.type === "broken" || response.type === "broken") return false;
  const isTyped = mediaType(received.headers) === mediaType(response.headers);
  const [left, right] = [jsonOf(received.body.text()), jsonOf(responseText)];
  const isEqual = left === undefined ? received.body.text() === responseText : isSameJson(left, right);
  return received.status === response.status && isTyped && isEqual;
}

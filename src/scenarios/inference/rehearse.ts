import { bindSharedNames } from "../../checker/comparison/bind-shared-names.ts";
import { compareResponses } from "../../checker/comparison/compare-responses.ts";
import { Correspondence } from "../../checker/comparison/correspondence.ts";
import type { Difference } from "../../checker/comparison/difference.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import { mediaType } from "../../foundation/http/header.ts";
import type { Response } from "../../foundation/http/response.ts";
import { isSameJson, type Json, type JsonObject, jsonIn, jsonOf } from "../../foundation/json/json.ts";
import type { Scenario } from "../files/load-scenario.ts";
import { runStep } from "../files/run-scenario.ts";
import type { Call } from "./call.ts";

/** A stub in process over a fresh world of a scenario, its control API included. */
export type CreateStub = (scenario: Scenario) => Handler;

/** Where the stub's response to a step is another than the recorded one. */
export interface Disagreement {
  /** The call's place, from 0. */
  readonly place: number;
  readonly difference: Difference;
  /** What the stub answered. */
  readonly came: Response | FailedResponse;
}

/** How the stub played the steps. */
export interface Rehearsal {
  readonly disagreements: readonly Disagreement[];
  /** The stub's exchanges, by place. */
  readonly played: ReadonlyMap<number, Exchange>;
}

/** The recorded calls behind the steps of a scenario, by step id; a step without one is ours. */
export type Recorded = ReadonlyMap<string, { readonly place: number; readonly call: Call }>;

const oldest = { nowMs: () => 0, hasControl: true };

/**
 * Sends the steps to the stub, one after the other whatever comes, and compares each response with the recorded one, names
 * that each side gives by itself matched one for one. What the recording has no response to is not compared.
 */
export async function rehearse(
  scenario: Scenario,
  steps: readonly JsonObject[],
  recorded: Recorded,
  createStub: CreateStub,
): Promise<Rehearsal> {
  const handler = createStub(scenario);
  const outputs = new Map<string, Readonly<Record<string, Json>>>();
  const correspondence = new Correspondence();
  const disagreements: Disagreement[] = [];
  const played = new Map<number, Exchange>();
  for (const step of steps) {
    const { successCriteria: _, ...bare } = step;
    const { exchange, stepId } = await runStep(bare, outputs, { ...oldest, handler });
    const expected = recorded.get(stepId);
    if (exchange === undefined || expected === undefined) continue;
    const { place, call } = expected;
    const { response } = call.exchange;
    played.set(place, exchange);
    if (response.type === "broken" && response.kind === "unexplained") continue;
    bindSharedNames(
      { target: exchange.request.target, body: new TextDecoder().decode(exchange.request.body) },
      { target: call.exchange.request.target, body: call.requestText },
      correspondence,
    );
    const compared = { place, isControl: call.operation.api === "control" };
    const difference = compareResponses(exchange.response, response, compared, correspondence);
    if (difference !== undefined && !isSame(exchange.response, call))
      disagreements.push({ place, difference, came: exchange.response });
  }
  return { disagreements, played };
}

/** Whether the stub gives the recorded response to the letter, as the plan does: then its names are the recorded ones. */
function isSame(came: Response | FailedResponse, { exchange: { response }, responseText }: Call): boolean {
  if (came.type === "broken" || response.type === "broken") return false;
  const isTyped = mediaType(came.headers) === mediaType(response.headers);
  const [left, right] = [jsonIn(came.body), jsonOf(responseText)];
  const isEqual = left === undefined ? new TextDecoder().decode(came.body) === responseText : isSameJson(left, right);
  return came.status === response.status && isTyped && isEqual;
}

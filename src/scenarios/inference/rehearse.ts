import type { Exchange } from "../../foundation/http/exchange.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import { mediaType } from "../../foundation/http/header.ts";
import type { Response } from "../../foundation/http/response.ts";
import { isSameJson, type Json, type JsonObject, jsonOf } from "../../foundation/json/json.ts";
import type { Scenario } from "../files/load-scenario.ts";
import { runStep } from "../files/run-scenario.ts";
import type { RecordedCall } from "./recorded-call.ts";
import { type Difference, ResponseComparison } from "./response-comparison.ts";
import type { DraftStep } from "./steps.ts";

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
    const { exchange } = await runStep(written[place] ?? {}, outputs, { ...stepOptions, handler });
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

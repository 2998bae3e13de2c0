import type { Exchange } from "../../../../foundation/http/exchange.ts";
import type { FailedResponse } from "../../../../foundation/http/failed-response.ts";
import type { Response } from "../../../../foundation/http/response.ts";
import { type Json, jsonOf } from "../../../../foundation/json/json.ts";
import { objectOf, textOf } from "../../../../foundation/json/members.ts";
import type { DisabledFeature } from "../../../../foundation/spec/contracts.ts";
import { type DisabledPart, disabledPart } from "../../../../foundation/spec/disabled-part.ts";
import type { SpecOperation } from "../../../../foundation/spec/operation.ts";
import type { Spec } from "../../../../foundation/spec/spec.ts";
import { pathAndQuery } from "../../../../recordings/replay/request-shape.ts";

/** A status, and the code of a ledger error; empty without one. The status is 0 without a response. */
export interface ShownStatus {
  readonly status: number;
  readonly code: string;
}

/** What a check of a migration reads of a response; an incomplete one has no text. */
interface ResponseSummary extends ShownStatus {
  readonly text: string;
  readonly json: Json | undefined;
}

/** A request of a recording, read once. */
export interface RecordedRequest {
  /** Its number in the recording, from 1. */
  readonly number: number;
  readonly exchange: Exchange;
  /** Path and query. */
  readonly target: string;
  /** Path without query and without the prefix of a base URL. */
  readonly path: string;
  /** The operation, as either release describes it; undefined if neither does. */
  readonly operation: SpecOperation | undefined;
  readonly body: Json | undefined;
  readonly recorded: ResponseSummary;
}

/** Reads an exchange for a check of a migration between the releases of these specs. */
export function recordedRequest(number: number, exchange: Exchange, specs: readonly Spec[]): RecordedRequest {
  const { request, response } = exchange;
  const target = pathAndQuery(request.target);
  const path = apiPathOf(target);
  const routes = specs.map((spec) => spec.route(request.method, path));
  const operation = routes.find((route) => route.type === "found")?.operation;
  const body = jsonOf(request.body.text());
  return { number, exchange, target, path, operation, body, recorded: summaryOf(response) };
}

function summaryOf(response: Response | FailedResponse): ResponseSummary {
  if (response.type === "broken") return { status: response.partial?.status ?? 0, code: "", text: "", json: undefined };
  const { status } = response;
  const text = response.body.text();
  const json = jsonOf(text);
  const [, code = ""] =
    (status >= 400 && /^([A-Z][A-Z0-9_]+)(?:[:(]|$)/.exec(textOf(objectOf(json)["code"]) || text)) || [];
  return { status, code, text, json };
}

export function shownStatus({ status, code }: ShownStatus): string {
  return status === 0 ? "no response" : `${status}${code === "" ? "" : ` ${code}`}`;
}

/** The part of a recorded request that belongs to a deprecated feature. */
export function disabledPartIn(
  feature: DisabledFeature,
  { exchange: { request }, path, body }: RecordedRequest,
): DisabledPart | undefined {
  return disabledPart(feature, `${request.method} ${path}`, () => body);
}

/** The path of the API in a recorded target. */
function apiPathOf(target: string): string {
  const path = target.replace(/[?#].*$/s, "");
  const from = path.search(/\/(?:v2|registry|__understudy)\//);
  return from < 0 ? path : path.slice(from);
}

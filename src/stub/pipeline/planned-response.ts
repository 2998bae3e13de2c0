import { seededHex } from "../../foundation/crypto/seeded-hex.ts";
import { Body } from "../../foundation/http/body.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import type { Transmission } from "../../foundation/http/transmission.ts";
import { withReason } from "../../foundation/http/with-reason.ts";
import { formatJson, isSameJson, type JsonObject, jsonOf, textOfJson } from "../../foundation/json/json.ts";
import { valueAt } from "../../foundation/spec/operation.ts";
import { substitute } from "../../scenarios/files/conditions/expression.ts";
import {
  anyOperation,
  type CallMatch,
  type Delay,
  delayMsMax,
  type NetworkFaults,
  type PlannedResponse,
  type ResponseEvent,
} from "../../simulator/world/plan.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import type { SentRequest } from "./sent-request.ts";

/** Whether a planned response applies to this call. Body values are compared as JSON. */
export function isMeantFor(event: ResponseEvent, call: PlannedCall): boolean {
  const isNamed = event.operationId === call.sent.operationId || event.operationId === anyOperation;
  return isNamed && (event.match === undefined || isMatch(event.match, call));
}

/** The call that a planned response may be for. */
interface PlannedCall {
  readonly sent: SentRequest;
  readonly request: Request;
  readonly path: Readonly<Record<string, string>>;
}

function isMatch({ body, query, path = [], headers = [], absent }: CallMatch, call: PlannedCall): boolean {
  const { sent, request } = call;
  const isSame =
    query.every(([name, value]) => sent.query.getAll(name).includes(value)) &&
    path.every(([name, value]) => call.path[name] === value) &&
    headers.every(([name, value]) => headerValues(request.headers, name).includes(value));
  const isAbsent =
    absent === undefined ||
    (absent.query.every((name) => !sent.query.has(name)) &&
      absent.headers.every((name) => headerValues(request.headers, name).length === 0));
  if (!isSame || !isAbsent) return false;
  const without = absent?.body ?? [];
  if (body.length + without.length === 0) return true;
  const parsed = sent.body;
  if (parsed.type === "refused") return false;
  return (
    body.every(([pointer, value]) => isSameJson(valueAt(parsed.value, pointer), value)) &&
    without.every((pointer) => valueAt(parsed.value, pointer) === undefined)
  );
}

/** Renders responses of an operation in its profile. */
export interface ResponseRenderer {
  /** The operation's own response. */
  readonly own: () => Response;
  /** A ledger error by its code. */
  readonly error: (code: string) => Response;
  /** The error of the operation with this status. */
  readonly status: (status: number) => Response;
}

/** Builds the response to send, with its transmission. */
export function plannedResponse(
  { response, headers, network }: ResponseEvent,
  renderer: ResponseRenderer,
  { state, request, path }: Pick<PlannedCall, "request" | "path"> & { readonly state: WorldState },
): Response | FailedResponse {
  const written = response.type === "response" ? withRequestValues(response, { request, path }) : response;
  const built = withPlannedHeaders(withoutNetwork(written, renderer), headers);
  const transmission = network === undefined ? undefined : transmissionOf(network, state);
  const resetAfterBytes = network?.resetAfterBytes;
  if (resetAfterBytes !== undefined && built.type === "response" && resetAfterBytes < built.body.size)
    return { ...truncated(built, resetAfterBytes), transmission: { ...transmission, isReset: true }, isPlanned: true };
  const sent = transmission === undefined ? built : { ...built, transmission };
  return response.type === "own" ? sent : { ...sent, isPlanned: true };
}

const effect = "the request took effect";

/** Adds to the reason that the request took effect, which the response hides. */
export function afterEffect(response: Response | FailedResponse): Response | FailedResponse {
  if (response.type === "broken") return { ...response, reason: effect };
  const headers = response.headers.map(([name, value]): readonly [string, string] =>
    name === "Understudy-Reason" ? [name, `${value}; ${effect}`] : [name, value],
  );
  return { ...response, headers };
}

/** The response with values of the request, where its body has expressions such as `{$request.path.user-id}`. */
function withRequestValues(
  response: Extract<PlannedResponse, { type: "response" }>,
  { request, path }: Pick<PlannedCall, "request" | "path">,
): PlannedResponse {
  if (!response.body.includes("$request.")) return response;
  const scope = { request, pathValues: path, response: undefined, responseJson: undefined, outputs: noOutputs };
  const json = jsonOf(response.body);
  const body = json === undefined ? substitute(response.body, scope) : formatJson(substitute(json, scope));
  return { ...response, body: textOfJson(body) };
}

const noOutputs: ReadonlyMap<string, JsonObject> = new Map();

function withPlannedHeaders(
  built: Response | FailedResponse,
  planned: HeaderList | undefined,
): Response | FailedResponse {
  if (planned === undefined) return built;
  const names = new Set(planned.map(([name]) => name.toLowerCase()));
  const replaced = (headers: HeaderList) => [...headers.filter(([name]) => !names.has(name.toLowerCase())), ...planned];
  if (built.type === "response") return { ...built, headers: replaced(built.headers) };
  const { partial } = built;
  return partial === undefined ? built : { ...built, partial: { ...partial, headers: replaced(partial.headers) } };
}

function transmissionOf({ bytesPerSecond, slices, slowCloseMs }: NetworkFaults, state: WorldState): Transmission {
  const seed = Number.parseInt(seededHex(state.seed, "slices", state.counter, 12), 16);
  return { bytesPerSecond, slices: slices === undefined ? undefined : { ...slices, seed }, slowCloseMs };
}

function withoutNetwork(response: PlannedResponse, renderer: ResponseRenderer): Response | FailedResponse {
  switch (response.type) {
    case "own":
      return renderer.own();
    case "error":
      return renderer.error(response.code);
    case "status":
      return renderer.status(response.status);
    case "response":
      return writtenResponse(response);
    case "reset":
      return { type: "broken", kind: "reset" };
    case "timeout":
      return { type: "broken", kind: "timed-out" };
    case "truncate":
      return truncated(renderer.own(), response.bytes);
  }
}

function writtenResponse({ status, contentType, body }: Extract<PlannedResponse, { type: "response" }>): Response {
  const response = textResponse(status, contentType, body);
  return status < 400 ? response : withReason(response, `Planned response of the scenario: ${status}`);
}

function truncated({ status, headers, body }: Response, bytes: number): FailedResponse {
  const whole = body.bytes();
  const partial = { status, headers, body: new Body(whole.slice(0, bytes)), bodyLength: whole.length };
  return { type: "broken", kind: "truncated", partial };
}

/** The delay in milliseconds of wall time. It is drawn from seed and counter, so a run can be repeated. */
export function delayMsOf(delay: Delay | undefined, { seed, counter }: WorldState): number {
  if (delay === undefined) return 0;
  if (delay.type === "fixed") return delay.ms;
  if (delay.type === "latency") {
    const drawn = uniform(seededHex(seed, "jitter", counter, 13));
    return Math.max(0, delay.ms + (2 * drawn - 1) * delay.jitterMs);
  }
  const [first, second] = ["first", "second"].map((half) => uniform(seededHex(seed, `delay-${half}`, counter, 13)));
  const normal = Math.sqrt(-2 * Math.log(first ?? 1)) * Math.cos(2 * Math.PI * (second ?? 0));
  return Math.min(delay.medianMs * Math.exp(delay.sigma * normal), delayMsMax);
}

/** A number above 0, at most 1. */
function uniform(thirteenHexDigits: string): number {
  return (Number.parseInt(thirteenHexDigits, 16) + 1) / 2 ** 52;
}

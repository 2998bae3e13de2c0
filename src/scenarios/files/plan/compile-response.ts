import { formatJson, type Json, type JsonObject, textOfJson } from "../../../foundation/json/json.ts";
import { objectOf, optionalTextOf, textOf, textsOf } from "../../../foundation/json/members.ts";
import type { Api } from "../../../foundation/spec/contracts.ts";
import { errorCodes, operationIds } from "../../../foundation/spec/generated/names.ts";
import { durationMs } from "../../../foundation/text/duration.ts";
import { advise } from "../../../foundation/text/suggestion.ts";
import {
  anyOperation,
  type CallMatch,
  type Delay,
  delayMsMax,
  everyCall,
  type PlannedResponse,
  type ResponseEvent,
} from "../../../simulator/world/plan.ts";
import { number, string } from "../_reader.ts";
import { headersOf, networkFaultsOf, networkMembers, transmissionProblem } from "./compile-transmission.ts";

type CompiledResponse =
  | { readonly type: "compiled"; readonly event: ResponseEvent }
  | { readonly type: "invalid"; readonly problem: string; readonly advice: string };

/** Named faults: the command takes effect, but the client receives no success. */
const namedFaults: Readonly<Record<string, PlannedResponse>> = {
  "commit-then-timeout": { type: "timeout" },
  "commit-then-reset": { type: "reset" },
  "commit-then-unavailable": { type: "error", code: "SERVICE_NOT_RUNNING" },
};

/** Whether an entry of the plan is a planned response, not a change. */
export function isResponse(entry: JsonObject): boolean {
  return ["instead", "after", "fault"].some((member) => entry[member] !== undefined);
}

/** Compiles the planned response of an entry. */
export function compileResponse(entry: JsonObject, api: Api): CompiledResponse {
  const operationId = [anyOperation, ...operationIds].find((id) => id === entry["on"]);
  if (operationId === undefined) return unknownOperation(textOf(entry["on"]));
  if (entry["at"] !== undefined)
    return invalid(
      "has at, which does not apply to a response",
      "A response takes on, nth and times. Only a change takes at.",
    );
  const named = optionalTextOf(entry["fault"]);
  const timing = named === undefined && entry["instead"] !== undefined ? "instead" : "after";
  const given = objectOf(entry[timing]);
  const response = named === undefined ? responseFrom(given, timing) : namedFault(named);
  if (response.type === "invalid") return response;
  if (response.type === "error" && (api === "registry" || operationId === anyOperation))
    return invalid(
      "responds with a ledger error, which a registry does not have",
      "Give status and body: { error: … }.",
    );
  const delay = delayOf(given["delay"]);
  if (delay?.type === "invalid") return delay;
  const network = networkFaultsOf(given);
  const waits = [...timesOf(delay), network?.slices?.pauseMs ?? 0, network?.slowCloseMs ?? 0];
  if (waits.some((ms) => ms > delayMsMax))
    return invalid(
      "has a delay of more than ten minutes",
      "Delays are wall-clock time. Use the clock to advance virtual time.",
    );
  return {
    type: "compiled",
    event: {
      operationId,
      match: entry["match"] === undefined ? undefined : matchOf(objectOf(entry["match"])),
      nth: number(entry["nth"], number(entry["every"], 1)),
      times:
        entry["times"] === "all" || (entry["every"] !== undefined && entry["times"] === undefined)
          ? everyCall
          : number(entry["times"], 1),
      every: entry["every"] === undefined ? undefined : number(entry["every"], 1),
      timing,
      response,
      headers: headersOf(given),
      delay,
      network,
    },
  };
}

/** The problem of an entry that names no operation. */
export function unknownOperation(name: string): Invalid {
  const advice = advise(name, operationIds, "The API descriptions in contracts/ list all.");
  return invalid(`names the unknown operation ${JSON.stringify(name)}`, advice);
}

type Invalid = Extract<CompiledResponse, { readonly type: "invalid" }>;

function invalid(problem: string, advice: string): Invalid {
  return { type: "invalid", problem, advice };
}

function namedFault(name: string): PlannedResponse | Invalid {
  const known = Object.hasOwn(namedFaults, name) ? namedFaults[name] : undefined;
  return known ?? invalid(`names the unknown fault ${JSON.stringify(name)}`, advise(name, Object.keys(namedFaults)));
}

/** Members of which a response has exactly one. */
const responseMembers = ["error", "status", "gatewayHtml", "notJson", "truncate", "reset", "timeout"];

function responseFrom(given: JsonObject, timing: "instead" | "after"): PlannedResponse | Invalid {
  const several = responseMembers.filter((member) => given[member] !== undefined);
  if (several.length > 1) return invalid(`has several responses: ${several.join(", ")}`, "Use one entry per response.");
  if (timing === "instead" && given["truncate"] !== undefined)
    return invalid(
      "truncates a response although the operation is not called",
      "Put truncate under after: the operation then takes effect.",
    );
  const misfit = transmissionProblem(given);
  if (misfit !== undefined) return invalid(misfit.problem, misfit.advice);
  if (given["error"] !== undefined) return errorOf(textOf(given["error"]));
  if (given["reset"] === true) return { type: "reset" };
  if (given["timeout"] === true) return { type: "timeout" };
  if (given["truncate"] !== undefined) return { type: "truncate", bytes: number(given["truncate"], 0) };
  if (given["gatewayHtml"] !== undefined) return gatewayPage(number(given["gatewayHtml"], 502));
  if (given["notJson"] === true)
    return { type: "response", status: 200, contentType: "application/json", body: "{ this is not JSON" };
  if (given["status"] !== undefined) return responseOf(given);
  const isOwn = ["delay", "headers", ...networkMembers].some((member) => given[member] !== undefined);
  if (isOwn && timing === "after") return { type: "own" };
  return invalid(
    `has ${timing} without a response`,
    "Add status, error, gatewayHtml, notJson, truncate, reset or timeout; headers, a delay or a network fault alone go under after.",
  );
}

function errorOf(code: string): PlannedResponse | Invalid {
  if (errorCodes.some((known) => known === code)) return { type: "error", code };
  return invalid(
    `responds with the unknown error code ${JSON.stringify(code)}`,
    advise(code, errorCodes, "docs/reference/error-codes.md lists all."),
  );
}

/** The error page of a gateway that cannot reach its node. */
function gatewayPage(status: number): PlannedResponse {
  const title = `${status} ${status === 504 ? "Gateway Time-out" : status === 503 ? "Service Unavailable" : "Bad Gateway"}`;
  const body = `<html>\n<head><title>${title}</title></head>\n<body>\n<center><h1>${title}</h1></center>\n</body>\n</html>\n`;
  return { type: "response", status, contentType: "text/html", body };
}

/** A string body is sent unchanged, any other value as JSON. An error without a body has that of its operation. */
function responseOf(given: JsonObject): PlannedResponse {
  const isError = number(given["status"], 200) >= 400;
  if (isError && given["body"] === undefined && given["contentType"] === undefined)
    return { type: "status", status: number(given["status"], 500) };
  const body: Json = given["body"] ?? "";
  const isText = typeof body === "string";
  return {
    type: "response",
    status: number(given["status"], 200),
    contentType: string(given["contentType"], isText ? "text/plain; charset=UTF-8" : "application/json"),
    body: isText ? body : formatJson(body),
  };
}

function matchOf(match: JsonObject): CallMatch {
  const values = (member: string) =>
    Object.entries(objectOf(match[member])).map(([name, value]) => [name, textOfJson(value)] as const);
  const absent = objectOf(match["absent"]);
  return {
    body: Object.entries(objectOf(match["body"])),
    query: values("query"),
    path: match["path"] === undefined ? undefined : values("path"),
    headers: match["headers"] === undefined ? undefined : values("headers"),
    absent:
      match["absent"] === undefined
        ? undefined
        : { body: textsOf(absent["body"]), query: textsOf(absent["query"]), headers: textsOf(absent["headers"]) },
  };
}

function delayOf(delay: Json | undefined): Delay | Invalid | undefined {
  if (delay === undefined) return undefined;
  if (typeof delay === "string") return { type: "fixed", ms: durationMs(delay) ?? 0 };
  const { median, sigma, latency, jitter } = objectOf(delay);
  if ((median === undefined) === (latency === undefined) || (latency === undefined ? jitter : sigma) !== undefined)
    return invalid(
      "has a delay with neither a median nor a latency, or with members of both",
      "Use delay: { latency: PT0.1S, jitter: PT0.05S }, or delay: { median: PT0.1S, sigma: 1 }.",
    );
  const ms = (value: Json | undefined) => durationMs(textOf(value)) ?? 0;
  return latency === undefined
    ? { type: "log-normal", medianMs: ms(median), sigma: number(sigma, 1) }
    : { type: "latency", ms: ms(latency), jitterMs: ms(jitter) };
}

/** The times of a delay that have a limit. */
function timesOf(delay: Delay | undefined): readonly number[] {
  if (delay === undefined) return [];
  if (delay.type === "latency") return [delay.ms, delay.jitterMs];
  return [delay.type === "fixed" ? delay.ms : delay.medianMs];
}

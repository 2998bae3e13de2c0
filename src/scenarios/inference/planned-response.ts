import { headerValue, headerValues } from "../../foundation/http/header.ts";
import { formatJson, isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";
import type { RecordedCall } from "./recorded-call.ts";
import { isWritable } from "./steps.ts";

const responseTimedOut = 504;

/** The plan entry that gives a recorded response to the nth call of its operation; undefined if no plan can. */
export function plannedResponse(call: RecordedCall, nth: number): JsonObject | undefined {
  const { exchange, status, operation } = call;
  const trigger = { on: operation.operationId, nth };
  const { response } = exchange;
  if (response.type === "broken") {
    if (response.kind === "truncated") return { ...trigger, after: { truncate: response.partial?.body.size ?? 0 } };
    return { ...trigger, after: response.kind === "timed-out" ? { timeout: true } : { reset: true } };
  }
  if (status < 200 || status > 599 || operation.api === "control") return undefined;
  // A successful request took effect, and so did one that the node executed for too long.
  const timing = status < 400 || status === responseTimedOut ? "after" : "instead";
  return { ...trigger, [timing]: completeResponse(call) };
}

function completeResponse({ exchange, response: json, responseText, status }: RecordedCall): JsonObject {
  const headers = exchange.response.type === "response" ? exchange.response.headers : [];
  const contentType = headerValues(headers, "content-type")[0] ?? "application/json";
  const isJson = /^application\/json\b/i.test(contentType) && json !== undefined;
  const isStructured = isJson && (isJsonObject(json) || Array.isArray(json)) && isWritable(json);
  const body: Json = isStructured ? json : isJson ? formatJson(json) : responseText;
  const retryAfter = headerValue(headers, "retry-after");
  return { status, contentType, ...(retryAfter === undefined ? {} : { headers: { "Retry-After": retryAfter } }), body };
}

/** A response as a short text: its status and error code. */
export function responseSummary({ exchange, status, errorCode, response }: RecordedCall): string {
  if (exchange.response.type === "broken") return `no response (${exchange.response.kind})`;
  return [status, errorCode || textOf(objectOf(response)["error"])].join(" ").trimEnd();
}

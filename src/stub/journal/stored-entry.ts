import { Body } from "../../foundation/http/body.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import { type Json, type JsonObject, jsonOf } from "../../foundation/json/json.ts";
import { listOf, objectOf, optionalTextOf, textOf } from "../../foundation/json/members.ts";
import { type Mask, maskedHeaders } from "../../foundation/secrets/mask.ts";
import { operationIds } from "../../foundation/spec/generated/names.ts";
import type { JournalEntry } from "./journal-entry.ts";
import { shownBody } from "./shown-exchange.ts";

/** Characters of a body that a store keeps. */
export const storedBodyMax = 256_000;

/** An exchange as JSON text, with its secrets masked: what a store keeps of it. Of a long body, it keeps the beginning. */
export function storedEntry(entry: JournalEntry, mask: Mask): string {
  const { startedAt, durationMs, virtualAt, operationId, unexpected, request } = entry;
  return JSON.stringify({
    startedAt,
    durationMs,
    virtualAt,
    operationId,
    unexpected,
    request: {
      method: request.method,
      target: mask(request.target),
      headers: maskedHeaders(request.headers, mask),
      body: storedBody(request.body, mask),
    },
    response: storedResponse(entry, mask),
  });
}

function storedResponse({ response }: JournalEntry, mask: Mask): object {
  const { isPlanned } = response;
  if (response.type === "broken") return { kind: response.kind, reason: response.reason, isPlanned };
  const { status, headers, body } = response;
  return { status, headers: maskedHeaders(headers, mask), body: storedBody(body, mask), isPlanned };
}

function storedBody(body: Body, mask: Mask): string {
  const shown = shownBody(body, mask);
  const left = shown.length - storedBodyMax;
  return left <= 0 ? shown : `${shown.slice(0, storedBodyMax)}… [${left} more characters are not stored]`;
}

/** The exchange of a stored text; undefined for a text of another form. */
export function restoredEntry(text: string): JournalEntry | undefined {
  const entry = objectOf(jsonOf(text));
  const [request, response] = [objectOf(entry["request"]), restoredResponse(objectOf(entry["response"]))];
  const { startedAt, durationMs, virtualAt } = entry;
  if (typeof startedAt !== "string" || typeof durationMs !== "number" || typeof virtualAt !== "string")
    return undefined;
  if (response === undefined) return undefined;
  return {
    startedAt,
    durationMs,
    virtualAt,
    operationId: operationIds.find((id) => id === entry["operationId"]),
    unexpected: unexpectedReasons.find((reason) => reason === entry["unexpected"]),
    request: {
      method: textOf(request["method"]),
      target: textOf(request["target"]),
      headers: headersIn(request["headers"]),
      body: new Body(textOf(request["body"])),
    },
    response,
  };
}

const unexpectedReasons = ["unsupported", "unknown-path", "wrong-method", "unplanned", "refused"] as const;
const brokenKinds = ["reset", "truncated", "timed-out", "too-large", "unexplained"] as const;

function restoredResponse(response: JsonObject): JournalEntry["response"] | undefined {
  const planned = response["isPlanned"] === true ? ({ isPlanned: true } as const) : {};
  const kind = brokenKinds.find((each) => each === response["kind"]);
  const reason = optionalTextOf(response["reason"]);
  if (kind !== undefined) return { type: "broken", kind, ...(reason === undefined ? {} : { reason }), ...planned };
  const { status } = response;
  if (typeof status !== "number") return undefined;
  const body = new Body(textOf(response["body"]));
  return { type: "response", status, headers: headersIn(response["headers"]), body, ...planned };
}

function headersIn(headers: Json | undefined): HeaderList {
  return listOf(headers).map((pair): readonly [string, string] => {
    const [name, value] = listOf(pair);
    return [textOf(name), textOf(value)];
  });
}

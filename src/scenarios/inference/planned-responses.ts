import { headerValue, headerValues } from "../../foundation/http/header.ts";
import type { Response } from "../../foundation/http/response.ts";
import { formatJson, isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";
import { contracts } from "../../foundation/spec/contracts.ts";
import type { Call } from "./call.ts";
import { isWritable } from "./steps.ts";

/** Original codes of errors that clients receive redacted, by status. */
const redactedCodes: Readonly<Record<number, string>> = { 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED" };

/** The possible plan entries for a recorded response to the nth call of its operation, the most readable first. */
export function plannedResponses(call: Call, nth: number): readonly JsonObject[] {
  const { exchange, status, operation } = call;
  const { response } = exchange;
  const trigger = { on: operation.operationId, nth };
  if (response.type === "broken") {
    if (response.kind === "truncated") return [{ ...trigger, after: { truncate: response.partial?.body.size ?? 0 } }];
    const how: JsonObject = response.kind === "timed-out" ? { timeout: true } : { reset: true };
    return [
      { ...trigger, instead: how },
      { ...trigger, after: how },
    ];
  }
  if (status < 200 || status > 599) return [];
  const whole = completeResponse(response, call);
  const named = errorNamed(call);
  const given = named === undefined ? [whole] : [named, whole];
  // A successful request took effect, so the stub's effect is the best approximation.
  const timings = status < 400 ? ["after", "instead"] : ["instead", "after"];
  return given.flatMap((how) => timings.map((when) => ({ ...trigger, [when]: how })));
}

/** A ledger error by its code in the catalogue. */
function errorNamed({ operation, response, status, errorCode }: Call): JsonObject | undefined {
  if (operation.api !== "ledger" || status < 400) return undefined;
  const code = errorCode === "NA" || objectOf(response)["errorCategory"] === -1 ? redactedCodes[status] : errorCode;
  const known = contracts.errorCodes.codes.find((entry) => entry.code === code);
  return known === undefined || known.http === null ? undefined : { error: known.code };
}

function completeResponse(response: Response, { response: json, responseText, status }: Call): JsonObject {
  const contentType = headerValues(response.headers, "content-type")[0] ?? "application/json";
  const isJson = /^application\/json\b/i.test(contentType) && json !== undefined;
  const isStructured = isJson && (isJsonObject(json) || Array.isArray(json)) && isWritable(json);
  const body: Json = isStructured ? json : isJson ? formatJson(json) : responseText;
  const retryAfter = headerValue(response.headers, "retry-after");
  const headers = retryAfter === undefined ? {} : { headers: { "Retry-After": retryAfter } };
  return { status, contentType, ...headers, body };
}

/** A response as a short text: its status and error code. */
export function responseSummary({ exchange, status, errorCode, response }: Call): string {
  if (exchange.response.type === "broken") return `no response (${exchange.response.kind})`;
  const code = errorCode === "" ? "" : ` ${errorCode}`;
  return `${status}${code || (textOf(objectOf(response)["error"]) === "" ? "" : ` ${textOf(objectOf(response)["error"])}`)}`;
}

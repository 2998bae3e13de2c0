import { headerValues } from "../../foundation/http/header.ts";
import type { Response } from "../../foundation/http/response.ts";
import { formatJson, isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { contracts } from "../../foundation/spec/contracts.ts";
import { objectOf, textOf } from "./_json.ts";
import type { Call } from "./call.ts";
import { isWritable } from "./steps.ts";

/** Codes that reach a client redacted, by their status. */
const redactedCodes: Readonly<Record<number, string>> = { 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED" };

/** The entries of a plan that could give a recorded answer to the nth call of its operation, the most readable first. */
export function plannedAnswers(call: Call, nth: number): readonly JsonObject[] {
  const { exchange, status, operation } = call;
  const { answer } = exchange;
  const moment = { on: operation.operationId, nth };
  if (answer.type === "broken") {
    if (answer.kind === "truncated") return [{ ...moment, after: { truncate: answer.partial?.body.length ?? 0 } }];
    const how: JsonObject = answer.kind === "timed-out" ? { timeout: true } : { reset: true };
    return [
      { ...moment, instead: how },
      { ...moment, after: how },
    ];
  }
  if (status < 200 || status > 599) return [];
  const whole = completeResponse(answer, call);
  const named = errorNamed(call);
  const given = named === undefined ? [whole] : [named, whole];
  // An answer that went well took effect, and what the stub has of that effect is better than nothing.
  const moments = status < 400 ? ["after", "instead"] : ["instead", "after"];
  return given.flatMap((how) => moments.map((when) => ({ ...moment, [when]: how })));
}

/** A ledger error by its code in the catalogue. */
function errorNamed({ operation, answer, status, errorCode }: Call): JsonObject | undefined {
  if (operation.api !== "ledger" || status < 400) return undefined;
  const code = errorCode === "NA" || objectOf(answer)["errorCategory"] === -1 ? redactedCodes[status] : errorCode;
  const known = contracts.errorCodes.codes.find((entry) => entry.code === code);
  return known === undefined || known.http === null ? undefined : { error: known.code };
}

function completeResponse(answer: Response, { answer: json, answerText, status }: Call): JsonObject {
  const contentType = headerValues(answer.headers, "content-type")[0] ?? "application/json";
  const isJson = /^application\/json\b/i.test(contentType) && json !== undefined;
  const isStructured = isJson && (isJsonObject(json) || Array.isArray(json)) && isWritable(json);
  const body: Json = isStructured ? json : isJson ? formatJson(json) : answerText;
  return { status, contentType, body };
}

/** What a planned answer is, in a few words. */
export function shownAnswer({ exchange, status, errorCode, answer }: Call): string {
  if (exchange.answer.type === "broken") return `nothing (${exchange.answer.kind})`;
  const code = errorCode === "" ? "" : ` ${errorCode}`;
  return `${status}${code || (textOf(objectOf(answer)["error"]) === "" ? "" : ` ${textOf(objectOf(answer)["error"])}`)}`;
}

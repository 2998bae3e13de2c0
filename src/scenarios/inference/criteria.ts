import { headerValues } from "../../foundation/http/header.ts";
import { formatJson, isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { escapeSegment } from "../../foundation/spec/operation.ts";
import { escapePattern } from "../../foundation/text/escape-pattern.ts";
import type { RecordedCall } from "./recorded-call.ts";

/** Criteria of one step. A long response is described by its beginning. */
const criteriaMax = 24;
const textLengthMax = 200;

/** Members that differ between requests, that only the node can decode, or that are text for people. */
const uncheckedMembers: ReadonlySet<string> = new Set([
  "cause",
  "completionOffset",
  "context",
  "correlationId",
  "createdEventBlob",
  "error",
  "errors",
  "externalTransactionHash",
  "message",
  "multiHash",
  "nextPageToken",
  "offset",
  "preparedTransaction",
  "preparedTransactionHash",
  "topologyTransactions",
  "traceId",
]);

/** Members whose entries have no order. */
const unordered: ReadonlySet<string> = new Set([
  "disclosedContracts",
  "newlyGrantedRights",
  "newlyRevokedRights",
  "packages",
  "rights",
]);

const generatedValue = /[0-9a-f]{32}|^\d{4}-\d\d-\d\dT/;

/** The criteria of an equivalent response: status, media type, and members without generated ids and timestamps. */
export function criteriaOf({
  status,
  exchange,
  response,
  responseText,
  operation,
}: RecordedCall): readonly JsonObject[] {
  if (exchange.response.type === "broken") return [];
  const found: JsonObject[] = [{ condition: `$statusCode == ${status}` }];
  if (operation.api === "control") return found;
  const type = headerValues(exchange.response.headers, "content-type")[0]?.split(";")[0]?.trim() ?? "";
  if (type !== "" && type.length <= textLengthMax)
    found.push({ context: "$response.header.content-type", type: "regex", condition: `^${escapePattern(type)}` });
  if (response !== undefined && type === "application/json") {
    for (const criterion of membersOf(response, [])) {
      if (found.length >= criteriaMax) break;
      found.push(criterion);
    }
    return found;
  }
  const code = /^[A-Z][A-Z0-9_]{1,100}(?=:)/.exec(responseText)?.[0];
  if (code !== undefined) found.push({ context: "$response.body", type: "regex", condition: `^${code}:` });
  return found;
}

function* membersOf(value: Json, path: readonly string[]): Generator<JsonObject> {
  if (Array.isArray(value)) {
    // JSONPath sees a list at the top as its elements, one by one.
    if (path.length > 0) yield lengthOf(value, path);
    else if (value.length > 0)
      yield { context: "$response.body", type: "jsonpath", condition: `$[${value.length - 1}]` };
    if (unordered.has(path.at(-1) ?? "")) return;
    for (const [index, entry] of value.entries()) yield* membersOf(entry, [...path, String(index)]);
    return;
  }
  if (isJsonObject(value)) {
    const isRedacted = value["errorCategory"] === -1 && value["code"] !== "NA";
    for (const [name, entry] of Object.entries(value))
      if (!uncheckedMembers.has(name) && !(isRedacted && name === "code")) yield* membersOf(entry, [...path, name]);
    return;
  }
  // Empty values are compared when the steps are played; as criteria they are noise.
  if (value === null || value === "" || typeof value === "object") return;
  if (
    typeof value === "bigint" ||
    (typeof value === "string" && (value.length > textLengthMax || generatedValue.test(value) || value.includes("\n")))
  )
    return;
  const found = equal(path, value);
  if (found !== undefined) yield found;
}

const plain = /^[\w.-]+$/;

/** Undefined for a value that a simple condition cannot express. */
function equal(path: readonly string[], value: string | number | boolean): JsonObject | undefined {
  if (!path.every((segment) => plain.test(segment)) || (typeof value === "number" && !Number.isInteger(value)))
    return undefined;
  const literal = typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
  return { condition: `$response.body#/${path.map(escapeSegment).join("/")} == ${literal}` };
}

function lengthOf(list: readonly Json[], path: readonly string[]): JsonObject {
  const condition = `$[?length(${selector(path)}) == ${list.length}]`;
  return { context: "$response.body", type: "jsonpath", condition };
}

function selector(path: readonly string[]): string {
  const segments = path.map((segment) => {
    if (/^\d+$/.test(segment)) return `[${segment}]`;
    return /^[A-Za-z_]\w*$/.test(segment) ? `.${segment}` : `[${formatJson(segment)}]`;
  });
  return `@${segments.join("")}`;
}

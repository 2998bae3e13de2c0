import { mediaType } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { formatJson, type JsonObject } from "../../foundation/json/json.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type { Decoded } from "./decode.ts";

/** Whether the request body is JSON or has no media type; a registry accepts both. Evidence: Splice registry (source). */
export function isJsonSent(request: Request): boolean {
  const type = mediaType(request.headers);
  return type === undefined || type === "application/json";
}

export const missingRegistryBody: Decoded<JsonObject> = {
  type: "refused",
  reason: "Request entity expected but not supplied",
};

/**
 * Decodes the body of a lookup like the registry's HTTP layer; `choiceArguments` is checked later. A release accepts null
 * for `excludeDebugFields`, the spec requires a boolean. Evidence: Splice registry (source).
 */
export function decodeRegistryBody(
  spec: Spec,
  requestSchema: string,
  parsed: Decoded<JsonObject>,
): Decoded<JsonObject> {
  if (parsed.type === "refused") return { ...parsed, ...malformed(parsed.reason) };
  for (const name of spec.shapes.registry.shapeAt(requestSchema).required)
    if (!Object.hasOwn(parsed.value, name)) return malformed(`DecodingFailure at .${name}: Missing required field`);
  const excluded = parsed.value["excludeDebugFields"];
  const isAbsent = excluded === undefined || (excluded === null && spec.profile.registry !== "spec");
  if (isAbsent || typeof excluded === "boolean") return parsed;
  return malformed(
    `DecodingFailure at .excludeDebugFields: Got value '${formatJson(excluded)}' with wrong type, expecting 'true' or 'false'`,
  );
}

/** Decodes the body of a request to the validator or scan, whose members are texts and lists of them. A release accepts null for an absent one. */
export function decodeSpliceBody(spec: Spec, requestSchema: string, parsed: Decoded<JsonObject>): Decoded<JsonObject> {
  const decoded = decodeRegistryBody(spec, requestSchema, parsed);
  if (decoded.type === "refused") return decoded;
  const given = Object.entries(decoded.value);
  const members = spec.profile.registry === "spec" ? given : given.filter(([, value]) => value !== null);
  const [violation] = spec.validate.registry(requestSchema, Object.fromEntries(members));
  return violation === undefined
    ? decoded
    : malformed(`DecodingFailure at ${violation.pointer.replaceAll("/", ".")}: ${violation.message}`);
}

function malformed(reason: string): Decoded<JsonObject> {
  return { type: "refused", reason: `The request content was malformed:\n${reason}` };
}

import { mediaType } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { formatJson, type JsonObject } from "../../foundation/json/json.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type { Decoded } from "./decode.ts";

/** A registry takes JSON, or a body whose type nobody named (facts, registry 3.1). */
export function isJsonSent(request: Request): boolean {
  const type = mediaType(request.headers);
  return type === undefined || type === "application/json";
}

export const missingRegistryBody: Decoded<JsonObject> = {
  type: "refused",
  reason: "Request entity expected but not supplied",
};

/**
 * The body of a lookup as the registry's HTTP layer reads it; what `choiceArguments` holds is checked later. A release takes
 * null for an absent switch (facts, registry 3.1), the spec wants a boolean.
 */
export function decodeRegistryBody(
  spec: Spec,
  requestSchema: string,
  parsed: Decoded<JsonObject>,
): Decoded<JsonObject> {
  if (parsed.type === "refused") return malformed(parsed.reason);
  for (const name of spec.shapes.registry.shapeAt(requestSchema).required)
    if (!Object.hasOwn(parsed.value, name)) return malformed(`DecodingFailure at .${name}: Missing required field`);
  const excluded = parsed.value["excludeDebugFields"];
  const isAbsent = excluded === undefined || (excluded === null && spec.profile.registry !== "spec");
  if (isAbsent || typeof excluded === "boolean") return parsed;
  return malformed(
    `DecodingFailure at .excludeDebugFields: Got value '${formatJson(excluded)}' with wrong type, expecting 'true' or 'false'`,
  );
}

function malformed(reason: string): Decoded<JsonObject> {
  return { type: "refused", reason: `The request content was malformed:\n${reason}` };
}

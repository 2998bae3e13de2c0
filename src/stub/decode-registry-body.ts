import { mediaType } from "../http/header.ts";
import { formatJson, type JsonObject } from "../http/json.ts";
import type { Request } from "../http/request.ts";
import { type Decoded, parseBody } from "./decode.ts";

/** A registry takes JSON, or a body whose type nobody named (facts, registry 3.1). */
export function isJsonSent(request: Request): boolean {
  const type = mediaType(request.headers);
  return type === undefined || type === "application/json";
}

/** The body of a lookup as the registry's HTTP layer reads it; what `choiceArguments` holds is checked later. */
export function decodeRegistryBody(request: Request): Decoded<JsonObject> {
  if (request.body.length === 0) return { type: "refused", reason: "Request entity expected but not supplied" };
  const parsed = parseBody(request.body);
  if (parsed.type === "refused") return malformed(parsed.reason);
  if (!Object.hasOwn(parsed.value, "choiceArguments"))
    return malformed("DecodingFailure at .choiceArguments: Missing required field");
  const excluded = parsed.value["excludeDebugFields"] ?? null;
  if (excluded === null || typeof excluded === "boolean") return parsed;
  return malformed(
    `DecodingFailure at .excludeDebugFields: Got value '${formatJson(excluded)}' with wrong type, expecting 'true' or 'false'`,
  );
}

function malformed(reason: string): Decoded<JsonObject> {
  return { type: "refused", reason: `The request content was malformed:\n${reason}` };
}

import type { JSONWebKeySet } from "jose";
import { emptyBody } from "../../../foundation/http/body.ts";
import type { Handler, HandlerResponse } from "../../../foundation/http/handler.ts";
import { isJsonObject, parseJson } from "../../../foundation/json/json.ts";
import type { Variables } from "../../../transport/client/proxy-of.ts";
import { sendOverHttp, Unreachable } from "../../../transport/client/send-over-http.ts";

/** Time of a download. Evidence: Canton 3.5, JwksCacheConfig (source). */
const timeoutMs = 10_000;

/** Bytes of the response of a URL with keys. */
export const jwksBytesMax: number = 1024 * 1024;

/** Downloads the key set of a URL. Rejects with the reason if that fails. */
export function keysAt(url: URL, variables: Variables = {}): () => Promise<JSONWebKeySet> {
  const client = sendOverHttp(url.origin, { timeoutMs, responseBytesMax: jwksBytesMax, variables });
  return async () => {
    const response = await responseOf(client, url);
    if (response.type === "broken" && response.kind === "too-large")
      throw new Error(`the response of ${url} exceeds ${jwksBytesMax} bytes (jwksBytesMax)`);
    if (response.type === "broken") throw new Error(`${url} did not respond: ${response.reason ?? response.kind}`);
    if (response.status !== 200) throw new Error(`${url} responded ${response.status} instead of a key set`);
    const keys = keySetOf(response.body.text());
    if (keys === undefined) throw new Error(`the response of ${url} is not a JSON Web Key Set`);
    return keys;
  };
}

async function responseOf(client: Handler, { pathname, search }: URL): Promise<HandlerResponse> {
  const headers = [["Accept", "application/json"]] as const;
  try {
    return await client({ method: "GET", target: `${pathname}${search}`, headers, body: emptyBody });
  } catch (error) {
    if (error instanceof Unreachable) throw new Error(`${error.message} (${error.reason})`);
    throw error;
  }
}

/** A JSON Web Key Set: each key has a type; undefined for another text. */
export function keySetOf(text: string): JSONWebKeySet | undefined {
  try {
    const value = parseJson(text);
    const keys = isJsonObject(value) ? value["keys"] : undefined;
    const isSet = Array.isArray(keys) && keys.every((key) => isJsonObject(key) && typeof key["kty"] === "string");
    return isSet ? JSON.parse(text) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

import type { CryptoKey } from "jose";
import { headerValues, mediaType } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { isJsonObject, parseJson } from "../../foundation/json/json.ts";
import { readRefreshToken, type TokenGrant } from "./refresh-token.ts";

export const grantTypes = ["client_credentials", "password", "refresh_token"] as const;

/** A token request that is granted. */
export interface GrantedRequest {
  readonly type: "granted";
  readonly grant: TokenGrant;
  /** Whether the response has a refresh token. */
  readonly isRefreshable: boolean;
}

/** A refusal of RFC 6749 §5.2. */
interface RefusedRequest {
  readonly type: "refused";
  readonly status: 400 | 401;
  readonly error: string;
  readonly reason: string;
}

/** Reads a token request: a form (RFC 6749), or a JSON object with the same members. Every secret and password is accepted. */
export async function grantOf(
  request: Request,
  publicKey: CryptoKey,
  nowMs: number,
): Promise<GrantedRequest | RefusedRequest> {
  const members = membersOf(request);
  if (members === undefined)
    return refused(
      "invalid_request",
      "The body is not a JSON object. Send an object, or a form without a content type.",
    );
  const type = members.get("grant_type");
  const known = grantTypes.find((name) => name === type);
  if (known === undefined) return grantTypeRefused(request, type);
  const clientId = members.get("client_id") || clientOf(request);
  if (clientId === undefined || clientId === "")
    return refused("invalid_client", "The request has no client_id, in the body or in HTTP Basic authentication.", 401);
  const named = { audience: members.get("audience") || undefined, scope: members.get("scope") || undefined };
  switch (known) {
    case "client_credentials":
      return { type: "granted", grant: { userId: clientId, ...named }, isRefreshable: false };
    case "password": {
      const userId = members.get("username");
      if (!userId) return refused("invalid_request", "The request has no username, which is the user of the token.");
      return { type: "granted", grant: { userId, ...named }, isRefreshable: true };
    }
    case "refresh_token": {
      const grant = await readRefreshToken(members.get("refresh_token") ?? "", nowMs, publicKey);
      const reason = "The refresh_token is missing, expired, or not of this server: it has a new key after each start.";
      return grant === undefined ? refused("invalid_grant", reason) : { type: "granted", grant, isRefreshable: true };
    }
  }
}

/** The members of a form or a JSON object; undefined for JSON of another form. */
function membersOf({ headers, body }: Request): ReadonlyMap<string, string> | undefined {
  if (mediaType(headers) !== "application/json") return new Map(new URLSearchParams(body.text()));
  try {
    const value = parseJson(body.text());
    if (!isJsonObject(value)) return undefined;
    return new Map(
      Object.entries(value).flatMap(([name, member]) => (typeof member === "string" ? [[name, member]] : [])),
    );
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function grantTypeRefused({ headers, body }: Request, type: string | undefined): RefusedRequest {
  if (type !== undefined)
    return refused("unsupported_grant_type", `The grant type is ${type}. Use ${grantTypes.join(", ")}.`);
  const isJson = mediaType(headers) !== "application/json" && body.text().trimStart().startsWith("{");
  if (isJson) return refused("invalid_request", "The body is JSON. Send it with Content-Type: application/json.");
  const form = "grant_type=client_credentials&client_id=alice&client_secret=any";
  return refused("invalid_request", `The body has no grant_type. Send ${form} as application/x-www-form-urlencoded.`);
}

function refused(error: string, reason: string, status: 400 | 401 = 400): RefusedRequest {
  return { type: "refused", status, error, reason };
}

/** The client id of HTTP Basic authentication. */
function clientOf(request: Request): string | undefined {
  const [value = ""] = headerValues(request.headers, "authorization");
  const encoded = /^basic\s+(\S+)$/i.exec(value)?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(atob(encoded).split(":")[0] ?? "");
  } catch {
    return undefined;
  }
}

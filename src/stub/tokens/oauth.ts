import { type CryptoKey, exportJWK, generateKeyPair, type JSONWebKeySet } from "jose";
import type { Handler } from "../../foundation/http/handler.ts";
import { headerValues, mediaType } from "../../foundation/http/header.ts";
import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { withReason } from "../../foundation/http/with-reason.ts";
import { mintToken } from "./mint-token.ts";
import { scopeDefault } from "./verify-token.ts";

// An OAuth authorization server for tests. Every client id gets a token for the user with the same id.

const lifetimeMsDefault = 3_600_000;
const keyId = "understudy";

export interface OauthServer {
  /** The public keys that verify its tokens. */
  readonly keys: JSONWebKeySet;
  /** Responds to requests under `/oauth/`; undefined for any other path. */
  response(request: Request): Promise<Response> | undefined;
}

/** Creates the server with a new key pair. Tokens expire after one hour of the clock `nowMs`, or after the lifetime. */
export async function createOauthServer(
  nowMs: () => number,
  scheme: "http" | "https",
  lifetimeMs: number = lifetimeMsDefault,
): Promise<OauthServer> {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: keyId, use: "sig", alg: "ES256" }] };
  return {
    keys,
    response(request) {
      // Some clients add a slash to the token endpoint, which Keycloak accepts.
      const path = (request.target.split("?")[0] ?? "").replace(/^\/oauth\/token\/$/, "/oauth/token");
      if (!path.startsWith("/oauth/")) return undefined;
      return response(request, path, { keys, privateKey, nowMs, scheme, lifetimeMs });
    },
  };
}

/** Serves the authorization server in front of a handler. */
export function withOauth(inner: Handler, server: OauthServer): Handler {
  return (request, context) => server.response(request) ?? inner(request, context);
}

interface Options {
  readonly keys: JSONWebKeySet;
  readonly privateKey: CryptoKey;
  readonly nowMs: () => number;
  readonly scheme: "http" | "https";
  readonly lifetimeMs: number;
}

async function response(request: Request, path: string, options: Options): Promise<Response> {
  const issuer = `${options.scheme}://${headerValues(request.headers, "host")[0] ?? "localhost"}/oauth`;
  switch (`${request.method} ${path}`) {
    case "GET /oauth/.well-known/openid-configuration":
      return jsonValueResponse(200, {
        issuer,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        grant_types_supported: ["client_credentials"],
        token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      });
    case "GET /oauth/jwks":
      return textResponse(200, "application/json", JSON.stringify(options.keys));
    case "POST /oauth/token":
      return token(request, issuer, options);
    default:
      return refusal(404, "not_found", notServed(request.method, path));
  }
}

/** Client credentials grant (RFC 6749 §4.4). The client id is the user id; every secret is accepted. */
async function token(request: Request, issuer: string, { privateKey, nowMs, lifetimeMs }: Options): Promise<Response> {
  const form = new URLSearchParams(request.body.text());
  if (form.get("grant_type") !== "client_credentials") return grantRefused(request, form.get("grant_type"));
  const userId = form.get("client_id") ?? clientOf(request);
  if (userId === undefined || userId === "")
    return refusal(401, "invalid_client", "The request has no client_id, in the form or in HTTP Basic authentication.");
  const issuedAtMs = nowMs();
  const content = {
    userId,
    audience: form.get("audience") ?? undefined,
    scope: form.get("scope") || scopeDefault,
    issuer,
    issuedAtMs,
    expiresAtMs: issuedAtMs + lifetimeMs,
  };
  const accessToken = await mintToken(content, { key: privateKey, keyId });
  return jsonValueResponse(200, {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: lifetimeMs / 1000,
    scope: content.scope,
  });
}

/** The refusal of a token request that is not the form of RFC 6749 §4.4.2. */
function grantRefused({ headers, body }: Request, grant: string | null): Response {
  if (grant !== null)
    return refusal(400, "unsupported_grant_type", `The grant type is ${grant}. Use client_credentials.`);
  const type = mediaType(headers);
  const isJson = type === "application/json" || body.text().trimStart().startsWith("{");
  const problem = isJson ? "The body is JSON" : "The body has no grant_type";
  const form = "grant_type=client_credentials&client_id=alice&client_secret=any";
  return refusal(
    400,
    "invalid_request",
    `${problem}. A token request is a form (RFC 6749): send ${form} as application/x-www-form-urlencoded.`,
  );
}

function notServed(method: string, path: string): string {
  return `${method} ${path} is not served. Use POST /oauth/token, GET /oauth/jwks or GET /oauth/.well-known/openid-configuration.`;
}

/** An error of RFC 6749 §5.2, with the reason. */
function refusal(status: number, error: string, reason: string): Response {
  return withReason(jsonValueResponse(status, { error, error_description: reason }), reason);
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

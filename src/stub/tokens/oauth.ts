import { type CryptoKey, exportJWK, generateKeyPair, type JSONWebKeySet } from "jose";
import type { Handler } from "../../foundation/http/handler.ts";
import { headerValues } from "../../foundation/http/header.ts";
import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { withReason } from "../../foundation/http/with-reason.ts";
import { mintToken } from "./mint-token.ts";
import { mintRefreshToken, refreshLifetimeMs, type TokenGrant } from "./refresh-token.ts";
import { type GrantedRequest, grantOf, grantTypes } from "./token-request.ts";
import { scopeDefault } from "./verify-token.ts";

// An OAuth authorization server for tests, at `/oauth` and, with the paths of Keycloak, at `/realms/{realm}` of any name.

const lifetimeMsDefault = 3_600_000;
const keyId = "understudy";

export interface OauthServer {
  /** The public keys that verify its tokens. */
  readonly keys: JSONWebKeySet;
  /** Responds to requests for its endpoints; undefined for any other path. */
  response(request: Request): Promise<Response> | undefined;
}

interface OauthOptions {
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  readonly scheme: "http" | "https";
  /** Lifetime of access tokens. Default: one hour. */
  readonly lifetimeMs?: number | undefined;
  /** Audience and scope of a token whose request names none. */
  readonly audience?: string | undefined;
  readonly scope?: string | undefined;
}

/** Creates the server with a new key pair. */
export async function createOauthServer(options: OauthOptions): Promise<OauthServer> {
  const pair = await generateKeyPair("ES256", { extractable: true });
  const keys = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: keyId, use: "sig", alg: "ES256" }] };
  return {
    keys,
    response(request) {
      // Some clients add a slash to the token endpoint, which Keycloak accepts.
      const path = (request.target.split("?")[0] ?? "").replace(/(?<=.)\/$/, "");
      const issuer = issuerOf(path);
      return issuer === undefined ? undefined : response(request, path, issuer, { ...options, ...pair, keys });
    },
  };
}

/** Serves the authorization server in front of a handler. */
export function withOauth(inner: Handler, server: OauthServer): Handler {
  return (request, context) => server.response(request) ?? inner(request, context);
}

/** Whether a target is one of the authorization server. */
export function isOauth(target: string): boolean {
  return /^\/(?:oauth|realms\/[^/]+)\//.test(target);
}

interface Issuer {
  readonly path: string;
  readonly token: string;
  readonly keys: string;
}

/** The issuer of a path, with the paths of its endpoints. */
function issuerOf(path: string): Issuer | undefined {
  if (path.startsWith("/oauth/")) return { path: "/oauth", token: "/oauth/token", keys: "/oauth/jwks" };
  const realm = /^\/realms\/[^/]+(?=\/|$)/.exec(path)?.[0];
  if (realm === undefined) return undefined;
  const endpoints = `${realm}/protocol/openid-connect`;
  return { path: realm, token: `${endpoints}/token`, keys: `${endpoints}/certs` };
}

interface Issuing extends OauthOptions {
  readonly keys: JSONWebKeySet;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

async function response(request: Request, path: string, issuer: Issuer, options: Issuing): Promise<Response> {
  const base = `${options.scheme}://${headerValues(request.headers, "host")[0] ?? "localhost"}`;
  switch (`${request.method} ${path}`) {
    case `GET ${issuer.path}/.well-known/openid-configuration`:
      return jsonValueResponse(200, {
        issuer: `${base}${issuer.path}`,
        token_endpoint: `${base}${issuer.token}`,
        jwks_uri: `${base}${issuer.keys}`,
        grant_types_supported: grantTypes,
        token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      });
    case `GET ${issuer.keys}`:
      return textResponse(200, "application/json", JSON.stringify(options.keys));
    case `POST ${issuer.token}`: {
      const granted = await grantOf(request, options.publicKey, options.nowMs());
      return granted.type === "refused"
        ? refusal(granted.status, granted.error, granted.reason)
        : issued(granted, `${base}${issuer.path}`, options);
    }
    default:
      return refusal(404, "not_found", notServed(request.method, path, issuer));
  }
}

/** The tokens of a granted request: the user is the client, or the user name that it sends. Every secret is accepted. */
async function issued({ grant, isRefreshable }: GrantedRequest, issuer: string, options: Issuing): Promise<Response> {
  const { privateKey, nowMs, lifetimeMs = lifetimeMsDefault } = options;
  const issuedAtMs = nowMs();
  const scope = scopeOf(grant, options);
  const content = {
    userId: grant.userId,
    audience: grant.audience ?? options.audience,
    scope,
    issuer,
    issuedAtMs,
    expiresAtMs: issuedAtMs + lifetimeMs,
  };
  const accessToken = await mintToken(content, { key: privateKey, keyId });
  const refresh = isRefreshable
    ? {
        refresh_token: await mintRefreshToken(grant, issuedAtMs, privateKey),
        refresh_expires_in: refreshLifetimeMs / 1000,
      }
    : {};
  return jsonValueResponse(200, {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: lifetimeMs / 1000,
    ...refresh,
    scope,
  });
}

/** Scopes of OpenID Connect give no access to an API. */
const identityScopes: ReadonlySet<string> = new Set(["openid", "profile", "email", "offline_access"]);

/** The requested scope; one that names no API gets that of the ledger in addition, as the clients of a realm do. */
function scopeOf({ scope = "" }: TokenGrant, options: OauthOptions): string {
  const requested = scope.split(" ").filter((name) => name !== "");
  const isOfApi = requested.some((name) => !identityScopes.has(name));
  return [...requested, ...(isOfApi ? [] : [options.scope ?? scopeDefault])].join(" ");
}

function notServed(method: string, path: string, { path: issuer, token, keys }: Issuer): string {
  return `${method} ${path} is not served. Use POST ${token}, GET ${keys} or GET ${issuer}/.well-known/openid-configuration.`;
}

/** An error of RFC 6749 §5.2, with the reason. */
function refusal(status: number, error: string, reason: string): Response {
  return withReason(jsonValueResponse(status, { error, error_description: reason }), reason);
}

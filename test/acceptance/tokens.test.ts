import { writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { AuthTokenProvider } from "@canton-network/core-wallet-auth";
import { SignJWT } from "jose";
import { generate } from "selfsigned";
import { expect, onTestFinished, test } from "vitest";
import { jwksBytesMax, keysAt } from "../../src/entrypoints/cli/serve/downloaded-keys.ts";
import { textResponse } from "../../src/foundation/http/response.ts";
import { startUnderstudy } from "../../src/index.ts";
import { mintToken } from "../../src/stub/tokens/mint-token.ts";
import { createTokenVerifier } from "../../src/stub/tokens/verify-token.ts";
import { listening } from "../_server.ts";
import { folderOf, serving, temporaryFolder, understudy } from "./_command-line.ts";
import { p256Key } from "./_p256-key.ts";

const hour = 3_600_000;
const start = Date.parse("2026-01-01T00:00:00Z");
const participant =
  "https://daml.com/jwt/aud/participant/participant1::122056e00d8eef432e448963fb33d31cbc989835384ec290868e0a0f7573b254b1af";

interface Content {
  readonly userId?: string;
  readonly audience?: string;
  readonly scope?: string;
  readonly issuer?: string;
  readonly expiresAtMs?: number;
  readonly secret?: string;
}

function tokenOf({
  userId = "alice",
  audience,
  scope,
  issuer,
  expiresAtMs = start + hour,
  secret = "unsafe",
}: Content) {
  return mintToken({ userId, audience, scope, issuer, issuedAtMs: start, expiresAtMs }, { secret });
}

async function stub(more: { readonly adminToken?: string } = {}) {
  const understudy = await startUnderstudy({ profile: "canton-3.5", auth: "jwt", ...more });
  onTestFinished(() => understudy.close());
  const status = async (token: string, path = "/v2/authenticated-user") => {
    const headers = token === "" ? {} : { Authorization: `Bearer ${token}` };
    const response = await fetch(`${understudy.ledgerUrl}${path}`, { headers });
    return {
      status: response.status,
      reason: response.headers.get("understudy-reason"),
      json: JSON.parse(await response.text()),
    };
  };
  return { understudy, status };
}

const scope = "daml_ledger_api";

test.each<[what: string, content: Content, status: number]>([
  ["a user by scope", { scope }, 200],
  ["a user with further scopes", { scope: `openid ${scope} email` }, 200],
  ["a user by audience", { audience: participant }, 200],
  ["no audience and no scope", {}, 401],
  ["another audience", { audience: "https://daml.com/jwt/aud/participant/other" }, 401],
  ["another scope", { scope: "other" }, 401],
  ["another secret", { scope, secret: "guessed" }, 401],
  ["an expired token", { scope, expiresAtMs: start - 1000 }, 401],
  ["an unknown user", { scope, userId: "unknown" }, 403],
  ["a deactivated user", { scope, userId: "dave" }, 403],
  ["an invalid user id", { scope, userId: "a b" }, 400],
  ["a user of another provider", { scope, userId: "erin" }, 403],
  ["a user of the provider that the token names", { scope, userId: "erin", issuer: "https://login.example.com" }, 200],
  ["a user of the default provider by another one's issuer", { scope, issuer: "https://login.example.com" }, 403],
])("responds to a verified token of %s like a node", async (_what, content, status) => {
  const { status: ask } = await stub();
  const response = await ask(await tokenOf(content));
  expect(response.status).toBe(status);
  if (status === 401 || status === 403)
    expect(response.json).toMatchObject({ code: "NA", errorCategory: -1, grpcCodeValue: status === 401 ? 16 : 7 });
  if (status === 403) {
    expect(response.json.context).toEqual({ ledger_api_error: "invalid token" });
    expect(response.reason).toMatch(/^PERMISSION_DENIED: /);
  }
});

test("rights come from the world, and a token expires by the virtual clock", async () => {
  const { understudy, status } = await stub();
  const alice = await tokenOf({ scope });
  expect((await status(alice, "/v2/idps")).status).toBe(403);
  expect((await status(await tokenOf({ scope, userId: "participant_admin" }), "/v2/idps")).status).toBe(200);
  expect((await status("", "/v2/idps")).status).toBe(401);
  expect((await status("garbage")).status).toBe(401);
  understudy.clock.advance("PT1H");
  expect((await status(alice)).status).toBe(401);
});

test("refuses an unsigned token and a token with another algorithm", async () => {
  const { status } = await stub();
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { sub: "participant_admin", scope, exp: start / 1000 + 3600 };
  expect((await status(`${part({ alg: "none" })}.${part(claims)}.`)).status).toBe(401);
  const signed = await new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "k" }).sign(p256Key);
  expect((await status(signed)).status).toBe(401);
  const { d: _, ...publicKey } = p256Key;
  const keys = { keys: [{ ...publicKey, kid: "k", alg: "ES256" }] };
  const verify = createTokenVerifier({ key: { type: "jwks", keys }, audiences: [], scopes: [scope] });
  const at = { nowMs: start, wallNowMs: start, participantId: "" };
  expect(await verify(signed, at)).toEqual({ type: "valid", userId: "participant_admin", issuer: undefined });
  expect(await verify(await tokenOf({ scope }), at)).toMatchObject({ type: "invalid" });
});

test("reads the keys of a URL up to a limit", async () => {
  const { d: _, ...publicKey } = p256Key;
  const claims = { sub: "participant_admin", scope, exp: start / 1000 + 3600 };
  const signed = await new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "k" }).sign(p256Key);
  const keys = JSON.stringify({ keys: [{ ...publicKey, kid: "k", alg: "ES256" }] });
  const verdictWith = async (length: number) => {
    const { url } = await listening(async () => textResponse(200, "application/json", keys.padEnd(length)));
    const key = { type: "jwks-url", load: keysAt(new URL(url)), nowMs: () => start } as const;
    const at = { nowMs: start, wallNowMs: start, participantId: "" };
    return createTokenVerifier({ key, audiences: [], scopes: [scope] })(signed, at);
  };
  expect(await verdictWith(jwksBytesMax)).toMatchObject({ type: "valid" });
  expect(await verdictWith(jwksBytesMax + 1)).toMatchObject({
    type: "invalid",
    reason: expect.stringContaining(`exceeds ${jwksBytesMax} bytes (jwksBytesMax)`),
  });
});

test.each<[what: string, content: Content, reason: RegExp]>([
  ["of another secret", { scope, secret: "guessed" }, /does not match the key of the stub/],
  ["that is expired", { scope, expiresAtMs: start - 1000 }, /expired at .*, and virtual time is/],
  ["for another audience or scope", { scope: "other" }, /expected audience .* or scope daml_ledger_api/],
])("the header gives the reason why a token %s is refused", async (_what, content, reason) => {
  const { status } = await stub();
  expect((await status(await tokenOf(content))).reason).toMatch(reason);
});

test("the fixed administrator token has every right and names no user", async () => {
  const { status } = await stub({ adminToken: "of-the-console" });
  expect((await status("of-the-console", "/v2/users")).status).toBe(200);
  expect((await status("of-the-console", "/v2/idps")).status).toBe(200);
  expect((await status("of-the-console")).json.code).toBe("INVALID_TOKEN");
  expect((await status("of-the-consol", "/v2/users")).status).toBe(401);
  const { status: without } = await stub();
  expect((await without("of-the-console", "/v2/users")).status).toBe(401);
});

test("serve has the fixed administrator token as a flag, which its output does not show", async () => {
  const { url, ready } = await serving(["--auth", "jwt", "--admin-token", "of-the-console"]);
  const { status } = await fetch(`${url}/v2/users`, { headers: { Authorization: "Bearer of-the-console" } });
  expect([status, ready.includes("of-the-console")]).toEqual([200, false]);
});

test("serve refuses tokens that expire later than the maximum lifetime, and its own are valid", async () => {
  const flags = ["--max-token-lifetime", "PT5M", "--start", "2026-01-01T00:00:00Z"];
  const own = await serving(["--auth", "jwt", ...flags]);
  const status = async (url: string, token: string) => {
    const response = await fetch(`${url}/v2/authenticated-user`, { headers: { Authorization: `Bearer ${token}` } });
    return [response.status, response.headers.get("understudy-reason") ?? ""];
  };
  expect(await status(own.url, await tokenOf({ scope, expiresAtMs: start + 300_000 }))).toEqual([200, ""]);
  const [code, reason] = await status(own.url, await tokenOf({ scope, expiresAtMs: start + 301_000 }));
  expect([code, reason]).toEqual([401, expect.stringContaining("later than --max-token-lifetime allows")]);
  expect(own.ready).toContain("--expires PT5M");
  const byOauth = await serving(["--oauth", "--auth", "jwt", ...flags]);
  const body = "grant_type=client_credentials&client_id=alice";
  const issued = await (await fetch(`${byOauth.url}/oauth/token`, { method: "POST", body })).text();
  expect(JSON.parse(issued).expires_in).toBe(300);
  expect(await status(byOauth.url, JSON.parse(issued).access_token)).toEqual([200, ""]);
});

test("understudy token mints a token that the stub accepts", async () => {
  const { url } = await serving(["--auth", "jwt", "--jwt-secret", "s", "--audience", "mine"]);
  const minted = async (words: readonly string[]) =>
    (await understudy(["token", "--user", "alice", ...words])).out.trim();
  const status = async (token: string) =>
    (await fetch(`${url}/v2/authenticated-user`, { headers: { Authorization: `Bearer ${token}` } })).status;
  expect(await status(await minted(["--jwt-secret", "s", "--audience", "mine"]))).toBe(200);
  expect(await status(await minted(["--jwt-secret", "s"]))).toBe(401);
  expect(await status(await minted(["--jwt-secret", "t", "--audience", "mine"]))).toBe(401);
});

test("the published client gets its token from the stub's OAuth server", async () => {
  const { url } = await serving(["--oauth"]);
  const provider = new AuthTokenProvider(
    {
      method: "client_credentials",
      configUrl: `${url}/oauth/.well-known/openid-configuration`,
      credentials: { clientId: "alice", clientSecret: "any", scope, audience: "" },
    },
    { debug: () => undefined, info: () => undefined, error: () => undefined, warn: () => undefined } as never,
  );
  const token = await provider.getAccessToken();
  const response = await fetch(`${url}/v2/authenticated-user`, { headers: { Authorization: `Bearer ${token}` } });
  expect(JSON.parse(await response.text())).toMatchObject({ user: { id: "alice" } });
  const ask = async (body: string, headers: Record<string, string> = {}) =>
    (await fetch(`${url}/oauth/token`, { method: "POST", headers, body })).status;
  expect(await ask("grant_type=implicit&client_id=alice")).toBe(400);
  expect(await ask("grant_type=client_credentials")).toBe(401);
  expect(await ask("grant_type=client_credentials&client_id=bob")).toBe(200);
  expect(await ask("grant_type=client_credentials", { Authorization: "Basic !" })).toBe(401);
  expect((await fetch(`${url}/oauth/jwks`)).status).toBe(200);
  expect((await fetch(`${url}/oauth/other`)).status).toBe(404);
  expect(
    (await fetch(`${url}/oauth/token/`, { method: "POST", body: "grant_type=client_credentials&client_id=a" })).status,
  ).toBe(200);
});

const json = { "Content-Type": "application/json" };
const grant = "grant_type=client_credentials";

const jsonOf = async (response: Response) => JSON.parse(await response.text());

test("the OAuth server has the paths of Keycloak for each realm, and takes forms and JSON", async () => {
  const { url } = await serving(["--oauth"]);
  const realm = `${url}/realms/AppProvider`;
  const metadata = await jsonOf(await fetch(`${realm}/.well-known/openid-configuration`));
  expect(metadata).toMatchObject({
    issuer: realm,
    token_endpoint: `${realm}/protocol/openid-connect/token`,
    jwks_uri: `${realm}/protocol/openid-connect/certs`,
  });
  expect((await jsonOf(await fetch(metadata.jwks_uri))).keys).toHaveLength(1);
  const userOf = async (path: string, body: string | URLSearchParams, headers: Record<string, string> = {}) => {
    const issued = await jsonOf(await fetch(`${url}${path}`, { method: "POST", headers, body }));
    const Authorization = `Bearer ${issued.access_token}`;
    const response = await fetch(`${url}/v2/authenticated-user`, { headers: { Authorization } });
    return { id: (await jsonOf(response)).user?.id, issued };
  };
  const members = { grant_type: "client_credentials", client_id: "alice", client_secret: "any", scope: "openid" };
  const form = new URLSearchParams(members);
  for (const path of ["/oauth/token", "/realms/AppUser/protocol/openid-connect/token"]) {
    expect(await userOf(path, form)).toMatchObject({ id: "alice", issued: { scope: "openid daml_ledger_api" } });
    expect(await userOf(`${path}/`, JSON.stringify(members), json)).toMatchObject({ id: "alice" });
  }
  const password = "grant_type=password&client_id=app&username=bob&password=any&scope=openid";
  const first = await userOf("/realms/AppUser/protocol/openid-connect/token", new URLSearchParams(password));
  expect(first.id).toBe("bob");
  const again = new URLSearchParams({
    grant_type: "refresh_token",
    client_id: "app",
    refresh_token: first.issued.refresh_token,
  });
  expect(await userOf("/oauth/token", again)).toMatchObject({
    id: "bob",
    issued: { refresh_token: expect.any(String) },
  });
  const Authorization = `Bearer ${first.issued.refresh_token}`;
  expect((await fetch(`${url}/v2/authenticated-user`, { headers: { Authorization } })).status).toBe(401);
});

test("a token of the OAuth server has the audience and scope that the stub requires", async () => {
  for (const flags of [
    ["--audience", "me"],
    ["--scope", "mine"],
  ]) {
    const { url } = await serving(["--oauth", ...flags]);
    const body = `${grant}&client_id=alice&scope=openid`;
    const { access_token } = await jsonOf(await fetch(`${url}/oauth/token`, { method: "POST", body }));
    const headers = { Authorization: `Bearer ${access_token}` };
    expect((await fetch(`${url}/v2/authenticated-user`, { headers })).status).toBe(200);
  }
});

test.each<[what: string, path: string, init: RequestInit, status: number, error: string, words: string]>([
  [
    "JSON without a grant",
    "/token",
    { method: "POST", headers: json, body: '{"client_id":"a"}' },
    400,
    "invalid_request",
    "no grant_type",
  ],
  [
    "JSON that is not an object",
    "/token",
    { method: "POST", headers: json, body: "[]" },
    400,
    "invalid_request",
    "not a JSON object",
  ],
  [
    "JSON that does not parse",
    "/token",
    { method: "POST", headers: json, body: "{" },
    400,
    "invalid_request",
    "not a JSON object",
  ],
  [
    "JSON that curl declares a form",
    "/token",
    { method: "POST", body: ' {"client_id":"a"}' },
    400,
    "invalid_request",
    "Send it with Content-Type: application/json",
  ],
  [
    "no grant type",
    "/token",
    { method: "POST", body: "client_id=a" },
    400,
    "invalid_request",
    "The body has no grant_type.",
  ],
  ["no body", "/token", { method: "POST" }, 400, "invalid_request", "The body has no grant_type."],
  [
    "another grant",
    "/token",
    { method: "POST", body: "grant_type=implicit" },
    400,
    "unsupported_grant_type",
    "Use client_credentials, password, refresh_token.",
  ],
  [
    "no user",
    "/token",
    { method: "POST", body: "grant_type=password&client_id=a" },
    400,
    "invalid_request",
    "no username",
  ],
  [
    "a foreign refresh token",
    "/token",
    { method: "POST", body: "grant_type=refresh_token&client_id=a&refresh_token=b" },
    400,
    "invalid_grant",
    "not of this server",
  ],
  ["no client", "/token", { method: "POST", body: grant }, 401, "invalid_client", "no client_id"],
  ["another method", `/token?${grant}`, {}, 404, "not_found", "GET /oauth/token is not served. Use POST /oauth/token"],
])("the OAuth server says why it refuses %s", async (_what, path, init, status, error, words) => {
  const { url } = await serving(["--oauth"]);
  const response = await fetch(`${url}/oauth${path}`, init);
  expect(response.status).toBe(status);
  const description = expect.stringContaining(words);
  expect(await response.json()).toEqual({ error, error_description: description });
  expect(response.headers.get("Understudy-Reason")).toEqual(description);
});

/** What the inspector shows of access, as the page gets it. */
async function accessAt(url: string): Promise<unknown> {
  return (await fetch(`${url}/__understudy/worlds/default/access`)).json();
}

test("the first request of the inspector signs its token with the command line, and never shows one", async () => {
  const served = await serving(["--auth", "jwt"]);
  await using inLibrary = await startUnderstudy({ auth: "jwt" });
  await using ownSecret = await startUnderstudy({ auth: "jwt", jwtSecret: "mine" });
  const header = '-H "Authorization: Bearer $TOKEN" ';
  const line = 'understudy token --user "participant_admin"';
  expect(await accessAt(served.url)).toEqual({ before: [`TOKEN=$(${line})`], header });
  expect(await accessAt(inLibrary.ledgerUrl)).toEqual({ before: [`TOKEN=$(npx ${line})`], header });
  expect(await accessAt(ownSecret.ledgerUrl)).toEqual({ before: [], header: null });
  const token = (await understudy(["token", "--user", "participant_admin"])).out.trim();
  for (const url of [served.url, inLibrary.ledgerUrl]) {
    const headers = { Authorization: `Bearer ${token}` };
    expect((await fetch(`${url}/v2/users?pageSize=2`, { headers })).status).toBe(200);
  }
});

test("the sample commands get a token first if the stub verifies tokens", async () => {
  const secret = await serving(["--auth", "jwt", "--jwt-secret", "it's", "--scope", "mine"]);
  expect(secret.ready).toContain(
    `TOKEN=$(understudy token --user "participant_admin" --jwt-secret "$UNDERSTUDY_JWT_SECRET" --scope "mine")`,
  );
  expect(secret.ready).not.toContain("it's");
  const words = ["token", "--user", "participant_admin", "--jwt-secret", "it's", "--scope", "mine"];
  const byHand = (await understudy(words)).out.trim();
  const ahead = await serving(["--auth", "jwt", "--start", "2999-01-01T00:00:00Z"]);
  expect(ahead.ready).toContain('understudy token --user "participant_admin" --at 2999-01-01T00:00:00.000Z)');
  const own = await serving(["--oauth", "--scope", "my scope", "--audience", "me"]);
  const body = /-d "(grant_type[^"]+)" \S+\/oauth\/token/.exec(own.ready)?.[1] ?? "";
  const response = await (await fetch(`${own.url}/oauth/token`, { method: "POST", body })).text();
  const issued = /.*"access_token":"([^"]*)".*/.exec(response)?.[1];
  for (const [{ url, ready }, token] of [
    [secret, byHand],
    [own, issued],
  ] as const) {
    const lines = [...ready.matchAll(/^ {2}(curl .*Bearer \$TOKEN.+)$/gm)].map(([, line = ""]) => line);
    expect(lines.length).toBeGreaterThanOrEqual(3);
    const target = /(http:\/\/[^" ]+)/.exec(lines[0] ?? "")?.[1] ?? "";
    expect(target).toContain(url);
    expect((await fetch(target, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
  }
  const { ready } = await serving(["--auth", "jwt", "--jwks", "keys.json"], { folder: keysFolder() });
  expect(ready).not.toContain("Bearer");
});

function keysFolder(): string {
  const folder = folderOf({ "keys.json": '{ "keys": [] }' });
  return folder;
}

test.each([
  ["a token without a user", ["token"], "token needs --user ID: understudy token --user alice"],
  ["a token with an invalid lifetime", ["token", "--user", "a", "--expires", "soon"], "soon: not a valid duration."],
  ["an administrator token without --auth jwt", ["serve", "--admin-token", "s"], "--admin-token needs --auth jwt"],
  ["a lifetime that is not a duration", ["serve", "--auth", "jwt", "--max-token-lifetime", "5m"], "5m: not a duration"],
  ["a secret without --auth jwt", ["serve", "--jwt-secret", "s"], "--jwt-secret needs --auth jwt"],
  [
    "a key set on another machine",
    ["serve", "--auth", "jwt", "--jwks", "https://example.com/keys"],
    "is not on this machine",
  ],
  [
    "a file that is not a key set",
    ["serve", "--auth", "jwt", "--jwks", "package.json"],
    "package.json is not a JSON Web Key Set",
  ],
  [
    "two ways to verify",
    ["serve", "--oauth", "--jwt-secret", "s"],
    "--jwks, --jwt-secret and --oauth exclude each other",
  ],
  [
    "a key set with an invalid key",
    ["serve", "--auth", "jwt", "--jwks", "keys.json"],
    "keys.json is not a JSON Web Key Set",
  ],
  ["a token with an invalid user id", ["token", "--user", "a b"], '"a b": not a valid user id'],
  [
    "an empty certificate file",
    ["serve", "--tls-cert", "empty.pem", "--tls-key", "empty.pem"],
    "empty.pem and empty.pem are not a certificate and its private key",
  ],
  ["a certificate without its key", ["serve", "--tls-cert", "a.pem"], "--tls-cert needs --tls-key FILE"],
  [
    "a certificate that is not a PEM file",
    ["serve", "--tls-cert", "package.json", "--tls-key", "package.json"],
    "is not a PEM file",
  ],
])("exits with code 2 for %s and says what to do", async (_what, words, message) => {
  const folder = folderOf({
    "package.json": "{}",
    "keys.json": '{ "keys": [1] }',
    "empty.pem": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
  });
  const ran = await understudy(words, { folder });
  expect([ran.exitCode, ran.error]).toEqual([2, expect.stringContaining(message)]);
});

test("serves https if it has a certificate", async () => {
  const folder = temporaryFolder();
  const pems = await generate([{ name: "commonName", value: "localhost" }], { algorithm: "sha256" });
  writeFileSync(join(folder, "cert.pem"), pems.cert);
  writeFileSync(join(folder, "key.pem"), pems.private);
  const { url, ready } = await serving(["--tls-cert", "cert.pem", "--tls-key", "key.pem"], { folder });
  expect(url).toMatch(/^https:/);
  expect(ready.match(/^ {2}curl -sk .+$/gm)?.length).toBe(ready.match(/^ {2}curl .+$/gm)?.length);
  const status = await new Promise((resolve, reject) => {
    const requested = request(`${url}/readyz`, {
      ca: pems.cert,
      servername: "localhost",
      checkServerIdentity: () => undefined,
    });
    requested
      .on("response", (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end();
  });
  expect(status).toBe(200);
});

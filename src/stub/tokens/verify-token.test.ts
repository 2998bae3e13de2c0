import { createHmac, sign } from "node:crypto";
import type { JSONWebKeySet } from "jose";
import { expect, test } from "vitest";
import { ecKey, ed25519Key, rsaKey, type SigningKey } from "../../../test/_signing-keys.ts";
import { createTokenVerifier, type TokenTrust } from "./verify-token.ts";

const nowS = 1_770_000_000;
const at = { nowMs: nowS * 1000, wallNowMs: nowS * 1000, participantId: "p::1220" };
const claims = { sub: "alice", scope: "daml_ledger_api", exp: nowS + 60 };
const url = (value: object | Buffer) =>
  (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString("base64url");

const [p256, p384, p521] = [ecKey("P-256"), ecKey("P-384"), ecKey("P-521")];

function signed(
  header: { readonly alg: string; readonly kid?: string },
  { privateKey }: SigningKey,
  payload: object = claims,
) {
  const hash = header.alg === "EdDSA" ? null : `sha${header.alg.slice(-3)}`;
  const input = `${url({ typ: "JWT", ...header })}.${url(payload)}`;
  const signature = sign(hash, Buffer.from(input), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${input}.${url(signature)}`;
}

const verifierOf = (key: TokenTrust["key"], more: Partial<TokenTrust> = {}) =>
  createTokenVerifier({ key, audiences: "participant", scopes: ["daml_ledger_api"], ...more });

test.each<[what: string, alg: string, key: SigningKey, reason: string | undefined]>([
  ["RS256", "RS256", rsaKey, undefined],
  ["ES256", "ES256", p256, undefined],
  ["ES512", "ES512", p521, undefined],
  ["RS384", "RS384", rsaKey, "its algorithm is RS384, and a node requires RS256"],
  ["PS256", "PS256", rsaKey, "its algorithm is PS256, and a node requires RS256"],
  ["ES384", "ES384", p384, "a node does not support its key (P-384)"],
  ["EdDSA", "EdDSA", ed25519Key, "a node does not support its key (Ed25519)"],
  ["HS256 for a public key", "HS256", p256, "its algorithm is HS256, and a node requires ES256"],
])("a key set verifies only the algorithms of a node: %s", async (_what, alg, key, reason) => {
  // A node reads neither the use nor the algorithm of a key.
  const keys = { keys: [{ ...key.published, kid: "k", use: "enc", alg: "none" }] };
  const verdict = await verifierOf({ type: "jwks", keys })(signed({ alg, kid: "k" }, key), at);
  if (reason === undefined) expect(verdict).toMatchObject({ type: "valid", userId: "alice" });
  else expect(verdict).toEqual({ type: "invalid", reason: expect.stringContaining(reason) });
});

test("a token without a key id needs a set with one key", async () => {
  const one = { keys: [{ ...p256.published, kid: "a" }] };
  const two = { keys: [...one.keys, { ...rsaKey.published, kid: "b" }] };
  const verdict = (keys: JSONWebKeySet, kid?: string) =>
    verifierOf({ type: "jwks", keys })(signed({ alg: "ES256", ...(kid === undefined ? {} : { kid }) }, p256), at);
  expect([(await verdict(one)).type, (await verdict(two, "a")).type]).toEqual(["valid", "valid"]);
  expect(await verdict(two)).toMatchObject({ reason: "it names no key (kid), and the key set has 2 keys" });
  expect(await verdict(one, "c")).toMatchObject({ reason: 'the key set has no key with the id (kid) "c"' });
});

test("a new signing key verifies with its first token, and a removed one for five minutes", async () => {
  let [wallMs, downloads] = [0, 0];
  let keys: JSONWebKeySet = { keys: [{ ...rsaKey.published, kid: "one" }] };
  const verify = verifierOf({
    type: "jwks-url",
    nowMs: () => wallMs,
    load: async () => {
      downloads += 1;
      return keys;
    },
  });
  const [one, two] = [signed({ alg: "RS256", kid: "one" }, rsaKey), signed({ alg: "ES256", kid: "two" }, p256)];
  const types = async (...tokens: readonly string[]) =>
    (await Promise.all(tokens.map((token) => verify(token, at)))).map(({ type }) => type);
  expect(await types(one, one)).toEqual(["valid", "valid"]);
  expect([await types(two), downloads]).toEqual([["invalid"], 2]);
  keys = { keys: [{ ...p256.published, kid: "two" }] };
  expect(await types(two, two, one)).toEqual(["valid", "valid", "valid"]);
  expect(downloads).toBe(3);
  wallMs = 300_000;
  expect(await types(one, two)).toEqual(["invalid", "valid"]);
});

function hs256(payload: object, alg = "HS256"): string {
  const input = `${url({ alg })}.${url(payload)}`;
  const signature = createHmac(`sha${alg.slice(-3)}`, "unsafe").update(input);
  return `${input}.${url(signature.digest())}`;
}

const participant = "https://daml.com/jwt/aud/participant/p::1220";

test.each<[what: string, payload: object, reason: RegExp | undefined]>([
  ["issued now", { ...claims, iat: nowS, nbf: nowS }, undefined],
  ["without an expiry", { ...claims, exp: undefined }, undefined],
  ["that expires now", { ...claims, exp: nowS }, /it expired at/],
  ["with an expiry as text", { ...claims, exp: String(nowS + 60) }, /exp/],
  ["with half a second of expiry", { ...claims, exp: nowS + 60.5 }, /not a whole number/],
  ["that is not valid yet", { ...claims, nbf: nowS + 1 }, /it is valid from .* \(nbf\), and virtual time is/],
  ["issued in the future", { ...claims, iat: nowS + 1 }, /it is issued in the future/],
  ["issued at a text", { ...claims, iat: "now" }, /iat/],
  ["without a subject", { ...claims, sub: undefined }, /sub/],
  ["with a number as subject", { ...claims, sub: 7 }, /its claim sub is not a text/],
  ["with a number as issuer", { ...claims, iss: 7 }, /its claim iss is not a text/],
  ["with an audience", { ...claims, scope: undefined, aud: participant }, undefined],
  ["with a list of audiences", { ...claims, scope: undefined, aud: ["other", participant] }, undefined],
  ["with a number as audience", { ...claims, aud: [7] }, /its claim aud is neither/],
  ["with scopes in scp", { ...claims, scope: undefined, scp: ["openid", "daml_ledger_api"] }, undefined],
  ["with scope beside scp", { ...claims, scope: "openid", scp: "daml_ledger_api" }, /expected audience/],
  ["with a list as scope", { ...claims, scope: ["daml_ledger_api"] }, /expected audience/],
])("verifies a token %s like a node", async (_what, payload, reason) => {
  const verdict = await verifierOf({ type: "secret", secret: "unsafe" })(hs256(payload), at);
  if (reason === undefined) expect(verdict).toMatchObject({ type: "valid", userId: "alice" });
  else expect(verdict).toEqual({ type: "invalid", reason: expect.stringMatching(reason) });
});

test("a shared secret verifies HS256 only, and a maximum lifetime requires an expiry", async () => {
  const key = { type: "secret", secret: "unsafe" } as const;
  expect(await verifierOf(key)(hs256(claims, "HS512"), at)).toMatchObject({
    reason: expect.stringContaining("is not HS256"),
  });
  const limited = verifierOf(key, { lifetimeMsMax: 60_000 });
  expect((await limited(hs256(claims), at)).type).toBe("valid");
  expect(await limited(hs256({ ...claims, exp: undefined }), at)).toMatchObject({
    reason: expect.stringContaining("never expires"),
  });
});

test("a token of wall time is valid while virtual time is behind", async () => {
  const verify = verifierOf({ type: "secret", secret: "unsafe" });
  const token = hs256({ ...claims, iat: nowS });
  expect((await verify(token, { ...at, nowMs: 0 })).type).toBe("valid");
  expect((await verify(token, { ...at, nowMs: 0, wallNowMs: 0 })).type).toBe("invalid");
});

import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { expect, test } from "vitest";
import { createUnderstudy } from "../../src/index.ts";
import { mintToken } from "../../src/stub/tokens/mint-token.ts";
import { ecKey, ed25519Key, type SigningKey } from "../_signing-keys.ts";

// Tokens that the primary party of a user signs, in release 3.6. Evidence: the source of the service of a node and its test.

const participantId = "participant1::1220ab";
const [p256, p384] = [ecKey("P-256"), ecKey("P-384")];
const [ed, es256, es384] = ["ed::1220ab", "es256::1220ab", "es384::1220ab"];
const start = Date.parse("2026-01-01T00:00:00Z");

const pointOf = ({ privateKey }: SigningKey, bytes: number) =>
  createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(-bytes).toString("base64");
const ledger = (services: string) => `participantId: ${participantId}
${services}
synchronizers: [{ alias: a, id: "a::1220ab" }, { alias: b, id: "b::1220ab", connected: false }]
identityProviders: [{ id: other, issuer: i, jwksUrl: j }]
parties:
  - { id: "${ed}", publicKeys: ["${pointOf(ed25519Key, 32)}"] }
  - { id: "${es256}", publicKeys: ["${pointOf(p256, 65)}"], keySpec: p256 }
  - { id: "${es384}", publicKeys: ["${pointOf(p384, 97)}"], keySpec: p384 }
  - { id: "local::1220ab" }
users:
  - { id: participant_admin, rights: [ParticipantAdmin] }
  - { id: nina, primaryParty: "${ed}" }
  - { id: omar, primaryParty: "${es256}" }
  - { id: pia, primaryParty: "${es384}" }
  - { id: lena, primaryParty: "local::1220ab" }
  - { id: erin, primaryParty: "${ed}", identityProviderId: other }
`;

interface Token {
  readonly user?: string;
  readonly party?: string;
  readonly sub?: string;
  readonly aud?: unknown;
  readonly synchronizer?: string;
  readonly alg?: string;
  readonly typ?: string;
  readonly key?: SigningKey;
  readonly expiresInS?: number;
}

const url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

function partyToken({ user = "nina", party = ed, alg = "EdDSA", key = ed25519Key, ...more }: Token): string {
  const { sub = party, aud = participantId, synchronizer = "a::1220ab", typ = "JWT", expiresInS = 60 } = more;
  const exp = start / 1000 + expiresInS;
  const input = `${url({ alg, typ })}.${url({ aud, iss: party, sub, exp, "daml.com": { syn: synchronizer, usr: user } })}`;
  const hash = alg === "EdDSA" ? null : `sha${alg.slice(-3)}`;
  return `${input}.${sign(hash, Buffer.from(input), { key: key.privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

/** A stub, of which these users may sign in with the token of their party. */
async function node(
  users: readonly string[] = ["nina", "omar", "pia", "lena", "erin"],
  services = "authServices: [{ type: party-jwt }]",
  profile: "canton-3.5" | "canton-3.6" = "canton-3.6",
) {
  const understudy = createUnderstudy({
    ...{ profile, auth: "jwt", scenario: "ledger.yaml", files: { "ledger.yaml": ledger(services) } },
    start: new Date(start),
  });
  const scope = "daml_ledger_api";
  const minted = { audience: undefined, issuer: undefined, scope, issuedAtMs: start, expiresAtMs: start + 60_000 };
  const administrator = await mintToken({ userId: "participant_admin", ...minted }, { secret: "unsafe" });
  const ask = async (token: string, path = "/v2/authenticated-user", body?: object) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const more = body === undefined ? {} : { method: "PATCH", body: JSON.stringify(body) };
    const response = await understudy.fetch(path, { headers, ...more });
    return { status: response.status, reason: response.headers.get("understudy-reason"), json: await response.json() };
  };
  for (const id of users) {
    const identityProviderId = id === "erin" ? "other" : "";
    const user = { id, identityProviderId, primaryPartyAuthentication: true };
    const updateMask = { paths: ["primary_party_authentication"], unknownFields: { fields: {} } };
    expect((await ask(administrator, `/v2/users/${id}`, { user, updateMask })).status).toBe(200);
  }
  return ask;
}

test.each<[string, Token, string]>([
  ["EdDSA", {}, "nina"],
  ["ES256", { user: "omar", party: es256, alg: "ES256", key: p256 }, "omar"],
  ["ES384", { user: "pia", party: es384, alg: "ES384", key: p384 }, "pia"],
])("the primary party of a user signs its token with %s", async (_, token, id) => {
  const ask = await node();
  expect(await ask(partyToken(token))).toMatchObject({ status: 200, json: { user: { id } } });
});

test.each<[what: string, token: Token, reason: string]>([
  ["another key", { key: otherKey() }, "no key of ed::1220ab for EdDSA signed it"],
  ["another algorithm", { alg: "ES256", key: p256 }, "no key of ed::1220ab for ES256 signed it"],
  ["an algorithm of no party", { alg: "ES512", key: ecKey("P-521") }, "its algorithm is ES512"],
  ["another type", { typ: "at+jwt" }, 'its type (typ) is "at+jwt"'],
  ["another party", { party: es256, alg: "ES256", key: p256 }, "is not the primary party of the user nina"],
  ["a subject that is not the issuer", { sub: "nina" }, "are not the same party"],
  ["an expired token", { expiresInS: -1 }, "it expired at 2025-12-31T23:59:59Z"],
  ["another participant", { aud: "participant2::1220ab" }, 'its audience (aud) is "participant2::1220ab"'],
  ["the audience of other tokens", { aud: `https://daml.com/jwt/aud/participant/${participantId}` }, "its audience"],
  ["a user of another provider", { user: "erin" }, "belongs to the identity provider other"],
  ["an unknown user", { user: "zoe" }, 'it names the user "zoe" (daml.com.usr), which does not exist'],
  ["an unknown synchronizer", { synchronizer: "c::1220ab" }, 'the synchronizer "c::1220ab" (daml.com.syn) is unknown'],
  ["a synchronizer without a connection", { synchronizer: "b::1220ab" }, "(daml.com.syn) is unknown"],
  ["a party without keys", { user: "lena", party: "local::1220ab" }, "no key of local::1220ab for EdDSA signed it"],
])("a party token of %s is refused with 401 and its reason", async (_, token, reason) => {
  const ask = await node();
  expect(await ask(partyToken(token))).toMatchObject({
    status: 401,
    reason: expect.stringContaining(reason),
    json: { code: "NA", grpcCodeValue: 16 },
  });
});

test("a user without primaryPartyAuthentication cannot sign in with the token of its party", async () => {
  const ask = await node([]);
  const reason = expect.stringContaining("the user nina has no primaryPartyAuthentication");
  expect(await ask(partyToken({}))).toMatchObject({ status: 401, reason });
});

test("a node without the service, or of an earlier release, accepts no party token", async () => {
  for (const ask of [await node(["nina"], ""), await node([], undefined, "canton-3.5")])
    expect((await ask(partyToken({}))).status).toBe(401);
});

/** A key of the curve of EdDSA that is not that of the party, in the form of RFC 8410. */
function otherKey(): SigningKey {
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 9)]);
  return { ...ed25519Key, privateKey: createPrivateKey({ key: der, format: "der", type: "pkcs8" }) };
}

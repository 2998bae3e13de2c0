import { expect, test } from "vitest";
import { type RequestedStub, stubOf } from "./_stub.ts";

// Texts of refusals as a node of release 3.5 writes them.

interface SentError {
  readonly status: number;
  readonly error: ReturnType<typeof JSON.parse>;
}

function refused({ ask }: RequestedStub, method: string, target: string, body?: unknown, token = "any"): SentError {
  const { status, text } = ask(target, { method, token, ...(body === undefined ? {} : { body }) });
  return { status, error: JSON.parse(text) };
}

const argument = (problem: string) => `The submitted request has invalid arguments: ${problem}`;
const field = (name: string, problem: string) =>
  `The submitted command has a field with invalid value: Invalid field ${name}: ${problem}`;
const missing = (name: string) => `The submitted command is missing a mandatory field: ${name}`;
const canActAs = (party: string) => ({ kind: { CanActAs: { value: { party } } } });
const grant = (party: string) => ({ userId: "alice", rights: [canActAs(party)] });
const provider = (more: object) => ({
  identityProviderConfig: {
    identityProviderId: "second",
    issuer: "https://second",
    jwksUrl: "https://second/k",
    ...more,
  },
});

const rights = "POST /v2/users/alice/rights";
const badParty = (code: string, party: string) =>
  argument(`non expected character ${code} in Daml-LF Party "${party}"`);
const unknownProvider = (doing: string) =>
  `${doing} identity provider config failed for unknown identity provider id="none"`;
const taken = (which: string) =>
  `creating identity provider config failed, as identity provider ${which} already exists`;
const badId = field("identity_provider_id", 'non expected character 0x40 in Daml-LF Ledger String "a@b"');
const login = "https://login.example.com";

test.each<[what: string, line: string, body: object | undefined, cause: string]>([
  ["a right over a party with a character that no party has", rights, grant("al@ice"), badParty("0x40", "al@ice")],
  ["a right over no party", rights, grant(""), argument("Daml-LF Party is empty")],
  ["a right over a long party", rights, grant("x".repeat(256)), argument("Daml-LF Party is too long (max: 255)")],
  ["a primary party", "POST /v2/users", { user: { id: "x", primaryParty: "a/b" } }, badParty("0x2f", "a/b")],
  ["a party in the path", "GET /v2/parties/a%2Eb", undefined, badParty("0x2e", "a.b")],
  ["a party hint", "POST /v2/parties", { partyIdHint: "a/b" }, badParty("0x2f", "a/b")],
  [
    "a package id",
    "GET /v2/packages/a.b/status",
    undefined,
    argument('non expected character 0x2e in Daml-LF Package ID "a.b"'),
  ],
  [
    "an unreadable prepared transaction",
    "POST /v2/interactive-submission/executeAndWait",
    {
      preparedTransaction: "////",
      partySignatures: { signatures: [] },
      deduplicationPeriod: { Empty: {} },
      submissionId: "s",
      hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
    },
    argument("Cannot parse prepared_transaction"),
  ],
  ["a provider without a URL of keys", "POST /v2/idps", provider({ jwksUrl: "" }), missing("jwks_url")],
  ["a provider without an issuer", "POST /v2/idps", provider({ issuer: "" }), missing("issuer")],
  ["a provider without an id", "POST /v2/idps", provider({ identityProviderId: "" }), missing("identity_provider_id")],
  ["a provider with a bad id", "POST /v2/idps", provider({ identityProviderId: "a@b" }), badId],
  ["a provider that exists", "POST /v2/idps", provider({ identityProviderId: "corporate" }), taken('"corporate"')],
  ["an issuer that exists", "POST /v2/idps", provider({ issuer: login }), taken(`with issuer "${login}"`)],
  ["an unknown provider", "GET /v2/idps/none", undefined, unknownProvider("getting")],
  ["a deletion of an unknown provider", "DELETE /v2/idps/none", undefined, unknownProvider("deleting")],
  [
    "a page of parties above the maximum",
    "GET /v2/parties?pageSize=10001",
    undefined,
    argument("Page size must not exceed the server's maximum of 10000"),
  ],
])("names the problem with %s in the words of a node", (_what, line, body, cause) => {
  const [method = "", target = ""] = line.split(" ");
  expect(refused(stubOf("quickstart", "canton-3.5"), method, target, body).error.cause).toBe(cause);
});

test("accepts a party without a namespace as primary party and in rights, like a node", () => {
  const stub = stubOf("quickstart", "canton-3.5");
  const created = { user: { id: "x", primaryParty: "unknown" }, rights: [canActAs("a:b")] };
  expect(refused(stub, "POST", "/v2/users", created).error.user.primaryParty).toBe("unknown");
  const patched = { user: { id: "x", primaryParty: "::" }, updateMask: { paths: ["primary_party"] } };
  expect(refused(stub, "PATCH", "/v2/users/x", patched).error.user.primaryParty).toBe("::");
  const granted = refused(stub, "POST", "/v2/users/alice/rights", grant("next"));
  expect(granted.error).toEqual({ newlyGrantedRights: [canActAs("next")] });
  expect(refused(stub, "GET", "/v2/parties/unknown").error).toEqual({ partyDetails: [] });
});

test("the bounds of vetted packages have one format, whatever the request has", () => {
  const { packages } = JSON.parse(stubOf("quickstart", "canton-3.5").ask("/v2/package-vetting/list", { body: {} }).text)
    .vettedPackages[0];
  const [{ packageId }] = packages;
  const bounds = {
    newValidFromInclusive: "2026-01-01T01:00:00+01:00",
    newValidUntilExclusive: "2027-01-01T00:00:00.1200Z",
  };
  const change = { operation: { Vet: { value: { packages: [{ packageId }], ...bounds } } } };
  const synchronizerId = "global-domain::1220fa79dd1ee8fe25d601870c1b05bb634a8086134bfbe57f870549e2ddaca444e2";
  const { error } = refused(stubOf("quickstart", "canton-3.5"), "POST", "/v2/package-vetting/update", {
    changes: [change],
    synchronizerId,
  });
  expect(error.newVettedPackages.packages).toContainEqual(
    expect.objectContaining({
      packageId,
      validFromInclusive: "2026-01-01T00:00:00Z",
      validUntilExclusive: "2027-01-01T00:00:00.120Z",
    }),
  );
});

test("release 3.4 refuses unknown parties as one set, with one resource each", () => {
  const rights = [canActAs("p::1220ab"), canActAs("q::1220ab"), canActAs("p::1220ab")];
  const { status, error } = refused(stubOf("quickstart", "canton-3.4.12"), "POST", "/v2/users/alice/rights", {
    userId: "alice",
    rights,
  });
  expect([status, error.code]).toEqual([404, "UNKNOWN_RESOURCE"]);
  expect(error.cause).toBe(
    "The submitted request refers to a non-existing PARTIES: Provided parties have not been found in identity_provider_id=``: [p::1220ab,q::1220ab].",
  );
  expect(error.resources).toEqual([
    ["ErrorResource(PARTIES)", "p::1220ab"],
    ["ErrorResource(PARTIES)", "q::1220ab"],
  ]);
});

test("names the page limits of a node, and accepts the formats of keys that the Ledger API has", () => {
  const stub = stubOf("quickstart", "canton-3.5");
  const { features } = JSON.parse(stub.ask("/v2/version").text);
  expect(features.partyManagement.maxPartiesPageSize).toBe(10_000);
  expect(features.packageFeature.maxVettedPackagesPageSize).toBe(100);
  const { text } = stub.ask("/v2/parties/external/generate-topology", {
    body: { synchronizer: "x", partyHint: "y", publicKey: { format: "CRYPTO_KEY_FORMAT_SYMBOLIC" } },
  });
  expect(text).toContain(
    "Unrecognized enum value CRYPTO_KEY_FORMAT_SYMBOLIC. Supported values: [CRYPTO_KEY_FORMAT_UNSPECIFIED, CRYPTO_KEY_FORMAT_DER, CRYPTO_KEY_FORMAT_RAW, CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO]",
  );
});

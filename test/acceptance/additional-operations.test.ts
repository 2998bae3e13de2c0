import { expect, test } from "vitest";
import { checkExchange } from "../../src/checker/engine/checker.ts";
import { contractId, disclosedContract } from "../../src/checker/rules/sample-bodies.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { JsonObject } from "../../src/foundation/json/json.ts";
import { loadSpec } from "../../src/foundation/spec/spec.ts";
import { createUnderstudy } from "../../src/index.ts";
import { stubSpec } from "../../src/stub/pipeline/stub.ts";
import { exchangeOf } from "../_exchange.ts";
import { extraArgs, transferOf } from "../_transfer.ts";
import { hashOfWorld, type Requested, type RequestedStub, stubOf, stubOver } from "./_stub.ts";

const alice = "alice::12202bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90";
const nowhere = "nowhere::12202bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90";
const spec = stubSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });

/** A release sends null for absent members, whatever the schema says (DIV-048 and others). */
function omitNulls(json: unknown) {
  return JSON.parse(JSON.stringify(json, (_name, value) => (value === null ? undefined : value)));
}

/** Sends a request, and validates the response against its schema in contracts/additional-operations.yaml. */
function send({ ask }: RequestedStub, method: string, target: string, body?: JsonObject, token = "any") {
  const requested: Requested = { method, token, ...(body === undefined ? {} : { body }) };
  const registry = target.startsWith("/registry") ? [["Content-Type", "application/json"] as const] : [];
  const response = ask(target, { ...requested, headers: registry });
  const json = JSON.parse(response.text || "null");
  const route = spec.route(method, target.split("?")[0] ?? "");
  if (route.type !== "found") throw new Error(`${method} ${target} is not described`);
  const schema = route.operation.responses[String(response.status)]?.schema;
  if (response.status === 200 && schema !== undefined)
    expect(spec.validate[route.operation.api](schema, omitNulls(json))).toEqual([]);
  return { status: response.status, json };
}

const user = (id: string, more: JsonObject = {}) => ({ user: { id, ...more } });
const act = (party: string) => ({ kind: { CanActAs: { value: { party } } } });
const admin = { kind: { ParticipantAdmin: { value: {} } } };

test("creates a user with rights, reads, lists, revokes its rights, moves and deletes it", () => {
  const stub = stubOf("quickstart", "canton-3.5");
  const created = send(stub, "POST", "/v2/users", {
    ...user("frank", { primaryParty: alice, metadata: { annotations: { team: "a" } } }),
    rights: [act(alice), act(alice), admin],
  });
  expect(created).toMatchObject({
    status: 200,
    json: { user: { id: "frank", metadata: { resourceVersion: "0", annotations: { team: "a" } } } },
  });
  expect(send(stub, "GET", "/v2/users/frank").json).toEqual(created.json);
  expect(send(stub, "GET", "/v2/users/frank/rights").json).toEqual({ rights: [act(alice), admin] });
  const revoke = { userId: "frank", rights: [admin, act(nowhere)] };
  expect(send(stub, "PATCH", "/v2/users/frank/rights", revoke).json).toEqual({ newlyRevokedRights: [admin] });
  expect(send(stub, "PATCH", "/v2/users/frank/rights", revoke).json).toEqual({ newlyRevokedRights: [] });
  const move = { userId: "frank", sourceIdentityProviderId: "", targetIdentityProviderId: "corporate" };
  expect(send(stub, "PATCH", "/v2/users/frank/identity-provider-id", move).status).toBe(200);
  expect(send(stub, "GET", "/v2/users/frank").status).toBe(403);
  expect(send(stub, "GET", "/v2/users/frank?identity-provider-id=corporate").json.user).toMatchObject({
    identityProviderId: "corporate",
    metadata: { resourceVersion: "1" },
  });
  expect(send(stub, "DELETE", "/v2/users/frank").status).toBe(403);
  const back = { userId: "frank", sourceIdentityProviderId: "corporate", targetIdentityProviderId: "" };
  send(stub, "PATCH", "/v2/users/frank/identity-provider-id", back);
  expect(send(stub, "DELETE", "/v2/users/frank")).toEqual({ status: 200, json: {} });
  expect(send(stub, "GET", "/v2/users/frank").json.code).toBe("USER_NOT_FOUND");
});

const annotated = (annotations: JsonObject) => user("x", { metadata: { annotations } });
const provider = (more: JsonObject, updateMask?: JsonObject) => ({
  identityProviderConfig: { identityProviderId: "x", issuer: "i", jwksUrl: "https://a/b", ...more },
  ...(updateMask === undefined ? {} : { updateMask }),
});
const moving = (id: string, more: JsonObject = {}) => ({ userId: id, ...more });
const contractsAt = (activeAtOffset: number, filter: JsonObject = { filtersByParty: { [alice]: {} } }) => ({
  activeAtOffset,
  filter,
});
const appTemplate = `${"ab".repeat(32)}:Main:Asset`;
const byTemplate = { identifierFilter: { TemplateFilter: { value: { templateId: appTemplate } } } };
const byPackageId = { filtersForAnyParty: { cumulative: [byTemplate] } };
const transactionShape = "TRANSACTION_SHAPE_ACS_DELTA";
const active = "POST /v2/state/active-contracts";
const moved = (id: string) => `PATCH /v2/users/${id}/identity-provider-id`;
const badUpdate = provider({ identityProviderId: "corporate", jwksUrl: "" }, { paths: ["jwksUrl"] });

test.each<[what: string, line: string, body: JsonObject | undefined, code: string]>([
  ["a user that exists", "POST /v2/users", user("alice"), "USER_ALREADY_EXISTS"],
  ["a user without an id", "POST /v2/users", user(""), "MISSING_FIELD"],
  ["a user with a bad id", "POST /v2/users", user("a b"), "INVALID_FIELD"],
  ["a user of an unknown provider", "POST /v2/users", user("x", { identityProviderId: "y" }), "INVALID_ARGUMENT"],
  ["a user with a bad primary party", "POST /v2/users", user("x", { primaryParty: "y/" }), "INVALID_ARGUMENT"],
  ["a user with a version", "POST /v2/users", user("x", { metadata: { resourceVersion: "1" } }), "INVALID_ARGUMENT"],
  ["a user with a bad annotation", "POST /v2/users", annotated({ "a b": "c" }), "INVALID_ARGUMENT"],
  ["a user with an empty annotation", "POST /v2/users", annotated({ a: "" }), "INVALID_ARGUMENT"],
  ["a right without a kind", "POST /v2/users", { ...user("x"), rights: [{}] }, "INVALID_ARGUMENT"],
  ["a bad user id", "GET /v2/users/a%20b", undefined, "INVALID_FIELD"],
  ["rights of an unknown user", "GET /v2/users/unknown/rights", undefined, "USER_NOT_FOUND"],
  ["rights of a bad user id", "GET /v2/users/a%20b/rights", undefined, "INVALID_FIELD"],
  ["a revocation for another user", "PATCH /v2/users/alice/rights", { userId: "bob" }, "INVALID_ARGUMENT"],
  ["a revocation for an unknown user", "PATCH /v2/users/unknown/rights", { userId: "unknown" }, "USER_NOT_FOUND"],
  ["a revocation of no right", "PATCH /v2/users/alice/rights", moving("alice", { rights: [{}] }), "INVALID_ARGUMENT"],
  ["a deletion of an unknown user", "DELETE /v2/users/unknown", undefined, "USER_NOT_FOUND"],
  ["a move nowhere", moved("alice"), moving("alice", { targetIdentityProviderId: "x" }), "INVALID_ARGUMENT"],
  ["a move of an unknown user", moved("unknown"), moving("unknown"), "USER_NOT_FOUND"],
  [
    "a provider that exists",
    "POST /v2/idps",
    provider({ identityProviderId: "corporate" }),
    "IDP_CONFIG_ALREADY_EXISTS",
  ],
  [
    "an issuer that exists",
    "POST /v2/idps",
    provider({ issuer: "https://login.example.com" }),
    "IDP_CONFIG_ISSUER_ALREADY_EXISTS",
  ],
  ["a provider without an issuer", "POST /v2/idps", provider({ issuer: "" }), "MISSING_FIELD"],
  ["a provider with no URL", "POST /v2/idps", provider({ jwksUrl: "keys" }), "INVALID_FIELD"],
  ["an unknown provider", "GET /v2/idps/none", undefined, "IDP_CONFIG_NOT_FOUND"],
  ["a deletion of an unknown provider", "DELETE /v2/idps/none", undefined, "IDP_CONFIG_NOT_FOUND"],
  [
    "an update without a mask",
    "PATCH /v2/idps/corporate",
    provider({ identityProviderId: "corporate", jwksUrl: "" }),
    "MISSING_FIELD",
  ],
  ["an update of an unknown path", "PATCH /v2/idps/corporate", badUpdate, "INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST"],
  ["an invalid party id", "GET /v2/parties/a%2Eb", undefined, "INVALID_ARGUMENT"],
  ["a negative page size of parties", "GET /v2/parties?pageSize=-1", undefined, "INVALID_ARGUMENT"],
  ["an invalid page token of parties", "GET /v2/parties?pageToken=x", undefined, "INVALID_ARGUMENT"],
  ["an invalid party hint", "POST /v2/parties", { partyIdHint: "a/b" }, "INVALID_ARGUMENT"],
  ["a party for an unknown user", "POST /v2/parties", { partyIdHint: "x", userId: "unknown" }, "USER_NOT_FOUND"],
  ["a negative page size of vettings", "POST /v2/package-vetting/list", { pageSize: -1 }, "INVALID_ARGUMENT"],
  ["contracts at a negative offset", active, contractsAt(-1), "NEGATIVE_OFFSET"],
  ["contracts in the future", active, contractsAt(43), "OFFSET_AFTER_LEDGER_END"],
  ["contracts without a party", active, contractsAt(42, {}), "INVALID_ARGUMENT"],
  ["contracts of a package id", active, contractsAt(42, byPackageId), "INVALID_FIELD"],
  ["an update without a format", "POST /v2/updates/update-by-id", { updateId: "1220ab" }, "MISSING_FIELD"],
  [
    "an update in the format of a package id",
    "POST /v2/updates/update-by-id",
    { updateId: "1220ab", updateFormat: { includeTransactions: { eventFormat: byPackageId, transactionShape } } },
    "INVALID_FIELD",
  ],
  ["an unknown update", "POST /v2/updates/update-by-id", { updateId: "1220ab", updateFormat: {} }, "UPDATE_NOT_FOUND"],
  ["an update without an id", "POST /v2/updates/update-by-id", { updateId: "", updateFormat: {} }, "MISSING_FIELD"],
  ["an invalid update id", "POST /v2/updates/transaction-by-id", { updateId: "xyz" }, "INVALID_ARGUMENT"],
  [
    "an invalid party of synchronizers",
    "GET /v2/state/connected-synchronizers?party=x%40",
    undefined,
    "INVALID_ARGUMENT",
  ],
])("refuses %s and changes nothing", (_what, line, body, code) => {
  const stub = stubOf("quickstart", "canton-3.5");
  const before = hashOfWorld(stub.world);
  const [method = "", target = ""] = line.split(" ");
  const { status, json } = send(stub, method, target, body);
  expect([status >= 400, json.code]).toEqual([true, code]);
  expect(hashOfWorld(stub.world)).toBe(before);
});

test("creates, reads, updates and deletes an identity provider, sixteen at most", () => {
  const stub = stubOf("quickstart", "canton-3.5");
  const config = (id: string) => ({
    identityProviderId: id,
    isDeactivated: false,
    issuer: `https://${id}`,
    jwksUrl: `https://${id}/keys`,
    audience: "",
  });
  const configure = (id: string) => send(stub, "POST", "/v2/idps", { identityProviderConfig: config(id) });
  expect(configure("second").json).toEqual({ identityProviderConfig: config("second") });
  const change = { ...config("second"), audience: "x", issuer: "https://login.example.com" };
  const patch = (paths: readonly string[]) =>
    send(stub, "PATCH", "/v2/idps/second", {
      identityProviderConfig: change,
      updateMask: { paths, unknownFields: { fields: {} } },
    });
  expect(patch(["audience"]).json.identityProviderConfig).toEqual({ ...config("second"), audience: "x" });
  expect(patch(["issuer"]).json.code).toBe("IDP_CONFIG_ISSUER_ALREADY_EXISTS");
  const bare = send(stub, "PATCH", "/v2/idps/second", {
    identityProviderConfig: { ...config("second"), jwksUrl: "nowhere" },
    updateMask: { paths: ["jwks_url"], unknownFields: { fields: {} } },
  });
  expect(bare.json.code).toBe("INVALID_FIELD");
  for (let count = 3; count <= 16; count += 1) expect(configure(`p${count}`).status).toBe(200);
  expect(configure("p17").json.code).toBe("TOO_MANY_IDENTITY_PROVIDER_CONFIGS");
  expect(send(stub, "DELETE", "/v2/idps/second").status).toBe(200);
  expect(send(stub, "GET", "/v2/idps/second").status).toBe(404);
});

test("limits an administrator of an identity provider to this provider, named or not", () => {
  const stub = stubOf("quickstart", "canton-3.5", "user");
  const by = (method: string, target: string, body?: JsonObject) => send(stub, method, target, body, "erin");
  expect(by("POST", "/v2/users", user("x")).json.user.identityProviderId).toBe("corporate");
  expect(by("GET", "/v2/users/x").json.user.id).toBe("x");
  expect(by("GET", "/v2/users/x/rights").json).toEqual({ rights: [] });
  expect(by("GET", "/v2/users/alice").status).toBe(403);
  expect(by("DELETE", "/v2/users/x").status).toBe(200);
});

test("keeps the last identity provider in profile spec, whose list is never empty, and deletes it in a release", () => {
  const remove = (profile: "spec" | "canton-3.5") =>
    stubOf("quickstart", profile).ask("/v2/idps/corporate", { method: "DELETE" }).status;
  expect([remove("spec"), remove("canton-3.5")]).toEqual([400, 200]);
});

test("lists parties in pages, reads them by id, and allocates a local party in the node's namespace", () => {
  const stub = stubOf("quickstart", "canton-3.5");
  const names = (json: { partyDetails: { party: string }[] }) =>
    json.partyDetails.map(({ party }) => party.split("::")[0]);
  const first = send(stub, "GET", "/v2/parties?pageSize=2").json;
  expect(names(first)).toEqual(["alice", "bob"]);
  const rest = send(stub, "GET", `/v2/parties?pageSize=2&pageToken=${first.nextPageToken}`).json;
  expect([names(rest), rest.nextPageToken]).toEqual([["carol"], ""]);
  expect(rest.partyDetails[0].isLocal).toBe(false);
  expect(names(send(stub, "GET", "/v2/parties?filter-party=bo").json)).toEqual(["bob"]);
  expect(names(send(stub, "GET", `/v2/parties/${nowhere}?parties=${alice}`).json)).toEqual(["alice"]);
  const { participantId } = send(stub, "GET", "/v2/parties/participant-id").json;
  const allocated = send(stub, "POST", "/v2/parties", { partyIdHint: "dora", userId: "alice" }).json.partyDetails;
  expect(allocated).toMatchObject({ party: `dora::${participantId.split("::")[1]}`, isLocal: true });
  expect(send(stub, "GET", "/v2/users/alice/rights").json.rights).toContainEqual(act(allocated.party));
  expect(send(stub, "POST", "/v2/parties", { partyIdHint: "dora" }).json.code).toBe("INVALID_ARGUMENT");
});

test("lists parties of other identity providers without their metadata and their provider", () => {
  const ledger = `participantId: p::1220ab
identityProviders: [{ id: corporate, issuer: i, jwksUrl: "https://a/b" }]
parties:
  - { id: "here::1220ab", annotations: { team: a } }
  - { id: "there::1220ab", annotations: { team: b }, identityProviderId: corporate }
`;
  const listed = (profile: "canton-3.5" | "canton-3.4.12", query: string) =>
    send(stubOver({ ledger }, profile), "GET", `/v2/parties${query}`).json.partyDetails.map(
      ({ party, identityProviderId, localMetadata }: JsonObject) => [party, identityProviderId, localMetadata],
    );
  const hidden = { resourceVersion: "", annotations: {} };
  const own = ["here::1220ab", "", { resourceVersion: "0", annotations: { team: "a" } }];
  expect(listed("canton-3.5", "")).toEqual([own, ["there::1220ab", "", hidden]]);
  expect(listed("canton-3.5", "?identity-provider-id=corporate")).toEqual([
    ["here::1220ab", "", hidden],
    ["there::1220ab", "corporate", { resourceVersion: "0", annotations: { team: "b" } }],
  ]);
  // Both parameters are new in 3.5.1.
  expect(listed("canton-3.4.12", "?identity-provider-id=corporate&filter-party=t")).toEqual([
    own,
    ["there::1220ab", "", hidden],
  ]);
});

test("shows the local metadata of parties: annotations, and a version that external and remote parties do not have", () => {
  const stub = stubOver(
    {
      ledger: `participantId: p::1220ab
parties:
  - { id: "local::1220ab", annotations: { team: a } }
  - { id: "external::1220ab", publicKeys: [AAAA] }
  - { id: "remote::1220ab", hostedBy: ["other::1220ab"] }
`,
    },
    "canton-3.5",
  );
  const allocate = (localMetadata: JsonObject) =>
    send(stub, "POST", "/v2/parties", { partyIdHint: "new", localMetadata });
  expect(allocate({ resourceVersion: "1" }).json.cause).toContain("local_metadata.resource_version must be not set");
  expect(allocate({ annotations: { none: "" } }).json.cause).toContain("is empty for key: 'none'");
  expect(allocate({ annotations: { "a/": "b" } }).json.cause).toContain("invalid syntax");
  expect(allocate({ annotations: { big: "b".repeat(300_000) } }).json.cause).toContain(
    "'party_details.local_metadata.",
  );
  const { partyDetails } = allocate({ annotations: { team: "b" } }).json;
  expect(partyDetails.localMetadata).toEqual({ resourceVersion: "0", annotations: { team: "b" } });
  const listed: { party: string; localMetadata: object }[] = send(stub, "GET", "/v2/parties").json.partyDetails;
  expect(Object.fromEntries(listed.map(({ party, localMetadata }) => [party.split("::")[0], localMetadata]))).toEqual({
    external: { resourceVersion: "", annotations: {} },
    local: { resourceVersion: "0", annotations: { team: "a" } },
    new: { resourceVersion: "0", annotations: { team: "b" } },
    remote: { resourceVersion: "", annotations: {} },
  });
});

test("a fresh node prepares the creation of a ping", () => {
  const stub = stubOf("quickstart", "canton-3.5");
  const { status, json } = send(stub, "POST", "/v2/interactive-submission/prepare", {
    userId: "participant_admin",
    commandId: "ping",
    actAs: [alice],
    synchronizerId: "global-domain::1220fa79dd1ee8fe25d601870c1b05bb634a8086134bfbe57f870549e2ddaca444e2",
    commands: [
      {
        CreateCommand: {
          templateId: "#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping",
          createArguments: { id: "1", initiator: alice, responder: alice },
        },
      },
    ],
  });
  expect([status, typeof json.preparedTransactionHash]).toEqual([200, "string"]);
});

test("lists packages, vetted packages and synchronizers, and gives the ledger end", () => {
  const stub = stubOf("quickstart", "canton-3.5");
  const { packageIds } = send(stub, "GET", "/v2/packages").json;
  expect(packageIds).toContain("de2cc2f90eb523414ff54e899951dadd8789a4c07e0f71f6d6c9eaf57d412a54");
  const listed = send(stub, "POST", "/v2/package-vetting/list", {});
  const packageNamed = (packageName: string) => expect.objectContaining({ packageName });
  const ping = packageNamed("canton-builtin-admin-workflow-ping");
  expect(listed.json.vettedPackages).toMatchObject([
    { topologySerial: 1, packages: expect.arrayContaining([packageNamed("splice-amulet"), ping]) },
    { topologySerial: 1, packages: expect.arrayContaining([ping]) },
  ]);
  expect(send(stub, "GET", "/v2/package-vetting", {})).toEqual(listed);
  const named = (packageNamePrefixes: readonly string[]) =>
    send(stub, "POST", "/v2/package-vetting/list", { packageMetadataFilter: { packageNamePrefixes } }).json
      .vettedPackages;
  expect([named(["splice-"]).length, named(["other"]).length]).toEqual([1, 0]);
  const at = (synchronizerIds: readonly string[]) =>
    send(stub, "POST", "/v2/package-vetting/list", { topologyStateFilter: { synchronizerIds } }).json.vettedPackages;
  expect(at(["somewhere::1220ab"])).toEqual([]);
  expect(send(stub, "GET", "/v2/state/ledger-end").json).toEqual({ offset: 42 });
  const synchronizers = send(stub, "GET", "/v2/state/connected-synchronizers").json.connectedSynchronizers;
  expect(synchronizers.map(({ synchronizerAlias }: { synchronizerAlias: string }) => synchronizerAlias)).toEqual([
    "synchronizer-a",
    "synchronizer-b",
  ]);
  expect(send(stub, "GET", `/v2/state/connected-synchronizers?party=${nowhere}`).json.connectedSynchronizers).toEqual(
    [],
  );
});

test("serves health, description and version without a token", () => {
  const stub = stubOf("quickstart", "canton-3.5", "user");
  const ask = (target: string) => stub.ask(target, { token: "" });
  expect(ask("/livez")).toMatchObject({ status: 200, text: "" });
  expect(ask("/readyz")).toMatchObject({ status: 200, text: "[+] ledger ok (SERVING)\nreadyz check passed\n" });
  expect(ask("/docs/openapi").text).toMatch(/^openapi: 3\.1\.0\n[\s\S]*\/v2\/interactive-submission\/prepare:/);
  expect(ask("/v2/version").status).toBe(200);
  expect(ask("/v2/state/ledger-end").status).toBe(401);
});

test("gives the user of the token, and refuses if the token names no user", () => {
  const as = (mode: "none" | "bearer" | "user", token = "any") =>
    send(stubOf("quickstart", "canton-3.5", mode), "GET", "/v2/authenticated-user", undefined, token);
  expect(as("user", "alice").json.user.id).toBe("alice");
  expect(as("bearer").json.user.id).toBe("participant_admin");
  expect(as("none").json.code).toBe("INVALID_TOKEN");
});

const onlyAdmin = (status: number) => ({ participant_admin: status });
const contracts = "/v2/state/active-contracts";

test.each<[method: string, target: string, body: JsonObject | undefined, by: Readonly<Record<string, number>>]>([
  ["GET", "/v2/users/alice", undefined, { alice: 200, bob: 403, participant_admin: 200 }],
  ["GET", "/v2/users/alice/rights", undefined, { alice: 200, bob: 403, participant_admin: 200 }],
  ["POST", "/v2/users", user("x"), { alice: 403, erin: 200, participant_admin: 200 }],
  ["GET", "/v2/users/erin", undefined, { erin: 200, participant_admin: 403 }],
  ["GET", "/v2/users/erin/rights", undefined, { erin: 200, participant_admin: 403 }],
  ["POST", "/v2/users", user("x", { identityProviderId: "corporate" }), { alice: 403, erin: 200 }],
  ["POST", "/v2/users", { ...user("x", { identityProviderId: "corporate" }), rights: [admin] }, { erin: 403 }],
  ["DELETE", "/v2/users/bob", undefined, { alice: 403, erin: 403, participant_admin: 200 }],
  ["DELETE", "/v2/users/participant_admin", undefined, { participant_admin: 400 }],
  ["PATCH", "/v2/users/participant_admin/rights", moving("participant_admin", { rights: [admin] }), onlyAdmin(400)],
  ["PATCH", "/v2/users/bob/identity-provider-id", { userId: "bob" }, { erin: 403, participant_admin: 200 }],
  ["GET", "/v2/idps/corporate", undefined, { erin: 403, participant_admin: 200 }],
  ["DELETE", "/v2/idps/corporate", undefined, { erin: 403, participant_admin: 200 }],
  ["GET", "/v2/parties", undefined, { alice: 403, erin: 200, participant_admin: 200 }],
  ["GET", `/v2/parties/${alice}`, undefined, { alice: 200, bob: 403, carol: 200, erin: 200, participant_admin: 200 }],
  ["GET", `/v2/parties/${alice}?parties=${nowhere}`, undefined, { alice: 403, carol: 200, participant_admin: 200 }],
  ["GET", "/v2/state/connected-synchronizers", undefined, { bob: 200 }],
  [
    "GET",
    `/v2/state/connected-synchronizers?party=${alice}`,
    undefined,
    { alice: 200, bob: 403, carol: 200, erin: 200, participant_admin: 200 },
  ],
  ["POST", "/v2/parties", { partyIdHint: "x" }, { alice: 403, erin: 403, participant_admin: 200 }],
  ["POST", "/v2/package-vetting/update", { changes: [] }, { alice: 403, participant_admin: 400 }],
  ["GET", "/v2/packages", undefined, { alice: 200 }],
  ["POST", contracts, contractsAt(42), { alice: 200, bob: 403, carol: 200, participant_admin: 403 }],
  ["POST", contracts, contractsAt(42, { filtersForAnyParty: {} }), { alice: 403, carol: 200 }],
  [
    "POST",
    "/v2/interactive-submission/prepare",
    { commandId: "c", commands: [], actAs: [alice] },
    { alice: 400, bob: 403, carol: 400 },
  ],
])("%s %s requires its right", (method, target, body, by) => {
  const responded = Object.keys(by).map((token) => [
    token,
    send(stubOf("quickstart", "canton-3.5", "user"), method, target, body, token).status,
  ]);
  expect(Object.fromEntries(responded)).toEqual(by);
});

test("a list of more than 200 elements is refused, unless the request limits it", () => {
  const holdings = Array.from(
    { length: 201 },
    (_, index) => `  - { name: h${index}, owner: "${alice}", instrument: Amulet, amount: "1" }`,
  );
  const stub = stubOver(
    {
      ledger: `participantId: p::1220ab\nledgerEnd: 1\nparties: [{ id: "${alice}" }]\nsynchronizers: [{ alias: a, id: "a::1220ab" }]\n`,
      registry: `admin: dso::1220ab\ninstruments: [{ id: Amulet }]\nfactory: { contract: factory, context: [] }
contracts: [{ name: factory, templateId: "${"ab".repeat(32)}:M:F", packageName: splice-amulet, createdAt: 2025-12-31T00:00:00Z, synchronizer: "a::1220ab" }]
holdings:
${holdings.join("\n")}
`,
    },
    "canton-3.5",
  );
  const read = (query: string) =>
    send(stub, "POST", `/v2/state/active-contracts${query}`, {
      activeAtOffset: 1,
      eventFormat: { filtersByParty: { [alice]: {} } },
    });
  for (const query of ["", "?limit=201", "?limit=9223372036854775807"])
    expect(read(query)).toMatchObject({
      status: 413,
      json: {
        code: "JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED",
        cause: "The number of matching elements (201) is greater than the node limit (200).",
        errorCategory: 2,
        grpcCodeValue: 10,
      },
    });
  expect(["?limit=200", "?limit=0", "?limit=-1"].map((query) => read(query).json.length)).toEqual([200, 0, 0]);
  const tooLong = stub.ask("/v2/state/active-contracts?limit=9223372036854775808", { body: {} });
  expect([tooLong.status, tooLong.text]).toEqual([400, "Invalid value for: query parameter limit"]);
});

test("lists the active contracts of the requesting parties by template or interface, with the requested parts", () => {
  const stub = stubOf("quickstart", "canton-3.5");
  const read = (identifierFilter: JsonObject, more: JsonObject = {}, query = "") =>
    send(stub, "POST", `/v2/state/active-contracts${query}`, {
      activeAtOffset: 42,
      eventFormat: { filtersByParty: { [alice]: { cumulative: [{ identifierFilter }] } } },
      ...more,
    }).json.map(
      ({ contractEntry }: { contractEntry: { JsActiveContract: JsonObject } }) => contractEntry.JsActiveContract,
    );
  const holding = "#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding";
  const viewed = read({ InterfaceFilter: { value: { interfaceId: holding, includeInterfaceView: true } } });
  expect(
    viewed.map(
      ({ createdEvent }: { createdEvent: { interfaceViews: { viewValue: unknown }[] } }) =>
        createdEvent.interfaceViews[0]?.viewValue,
    ),
  ).toMatchObject([
    { owner: alice, amount: "100.0000000000", lock: null, instrumentId: { id: "Amulet" } },
    { owner: alice, amount: "25.5000000000" },
  ]);
  expect(viewed[0].createdEvent).toMatchObject({ createdEventBlob: "", witnessParties: [alice] });
  const blobs = read({
    TemplateFilter: { value: { templateId: "#splice-amulet:Splice.Amulet:Amulet", includeCreatedEventBlob: true } },
  });
  expect(blobs[0].createdEvent).toMatchObject({
    createdEventBlob: expect.stringMatching(/^CgMyLjES/),
    interfaceViews: [],
  });
  // Alice is the provider of a pre-approval, and of its featured right.
  const entities = read({ WildcardFilter: { value: {} } }).map(
    ({ createdEvent }: { createdEvent: { templateId: string } }) => createdEvent.templateId.split(":").at(-1),
  );
  expect(entities).toEqual(["FeaturedAppRight", "TransferPreapproval", "Amulet", "Amulet"]);
  expect(read({ WildcardFilter: { value: {} } }, {}, "?limit=1")).toHaveLength(1);
  expect(read({ TemplateFilter: { value: { templateId: "#app:Main:Asset" } } })).toEqual([]);
});

test("a filter by package id is refused from 3.5 on, with the text of a node", () => {
  const refused = (profile: "canton-3.5" | "canton-3.4.12") =>
    send(stubOf("quickstart", profile), "POST", "/v2/state/active-contracts", contractsAt(42, byPackageId));
  expect(refused("canton-3.5").json.cause).toMatch(
    /packageId: Received an identifier with package ID (ab){32}, but expected a package name\.$/,
  );
  expect(refused("canton-3.4.12")).toMatchObject({ status: 200, json: [] });
});

test("shows a contract in flight between synchronizers as unassigned", () => {
  const stub = stubOf("quickstart", "canton-3.5");
  stub.world.perform([{ type: "reassignment-begun", contract: "amulet-rules", target: "second-domain::1220ab" }]);
  const filter = {
    filtersForAnyParty: {
      cumulative: [
        {
          identifierFilter: {
            TemplateFilter: { value: { templateId: "#splice-amulet:Splice.AmuletRules:AmuletRules" } },
          },
        },
      ],
    },
  };
  const [entry] = send(stub, "POST", "/v2/state/active-contracts", { activeAtOffset: 42, filter }).json;
  expect(entry.contractEntry.JsIncompleteUnassigned.unassignedEvent).toMatchObject({
    target: "second-domain::1220ab",
    reassignmentCounter: 1,
  });
});

test("gives the registry info, and the instruments in pages", () => {
  const ledger = "participantId: p::1220ab\nidentityProviders: [{ id: i, issuer: i, jwksUrl: j }]\n";
  const registry =
    "admin: dso::1220ab\nfactory: { context: [] }\ncontracts: []\ninstruments: [{ id: A }, { id: B, name: Bee, symbol: BB, decimals: 2 }, { id: C }]\n";
  const stub = stubOver({ ledger, registry }, "canton-3.5");
  const read = (target: string) => send(stub, "GET", `/registry/metadata/v1/${target}`);
  expect(read("info").json).toMatchObject({ adminId: "dso::1220ab" });
  expect(read("instruments/B").json).toMatchObject({ id: "B", name: "Bee", symbol: "BB", decimals: 2 });
  expect(read("instruments/X")).toEqual({ status: 404, json: { error: "No instrument with id X found" } });
  const page = read("instruments?pageSize=2").json;
  expect([page.instruments.length, page.nextPageToken]).toEqual([2, "B"]);
  expect(read("instruments?pageSize=2&pageToken=B").json.instruments).toMatchObject([{ id: "C" }]);
  expect(read("instruments?pageSize=0").status).toBe(400);
});

test("serves only the operations of the spec if configured", () => {
  const narrow = stubSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: false });
  expect(narrow.operations).toHaveLength(9);
  expect(narrow.route("GET", "/v2/version").type).toBe("unknown");
  expect(narrow.route("GET", "/v2/package-vetting").type).toBe("wrong-method");
});

test.each([
  ["spec", "spec"],
  ["canton-3.5", "splice-0.7"],
] as const)(
  "responses of additional operations break no rule in profile %s, and are checked only on request",
  async (ledger, registry) => {
    const understudy = createUnderstudy({ profile: ledger });
    const ask = (method: string, path: string, body?: object) =>
      understudy.fetch(path, {
        method,
        headers: { Authorization: "Bearer any", "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    for (const { method, path, requestSchema } of spec.operations.filter(({ isAdditional }) => isAdditional))
      await ask(
        method,
        path.replaceAll(/\{[^}]+\}/g, "x"),
        requestSchema === undefined || method === "GET" ? undefined : {},
      );
    await ask("POST", "/v2/users", user("f"));
    await ask("POST", "/v2/state/active-contracts", { activeAtOffset: 42, filter: { filtersForAnyParty: {} } });
    await ask("GET", "/registry/metadata/v1/instruments/Amulet");
    const requested = loadSpec({ ledger, registry }, { hasAdditionalOperations: true });
    const verdicts = understudy.journal.map((exchange) => checkExchange(requested, "release", exchange));
    const broken = verdicts.flatMap((verdict) =>
      verdict.type === "checked" ? verdict.results.flatMap(({ violations }) => violations) : [],
    );
    expect(broken.filter(({ outcome }) => outcome === "FAIL")).toEqual([]);
    expect(verdicts.filter(({ type }) => type === "checked").length).toBe(understudy.journal.length);
    const narrow = loadSpec({ ledger, registry });
    expect(new Set(understudy.journal.map((exchange) => checkExchange(narrow, "release", exchange).type))).toEqual(
      new Set(["unsupported"]),
    );
  },
);

test("serves every additional operation without an internal error", () => {
  const described = spec.operations.filter(({ isAdditional }) => isAdditional).map(({ operationId }) => operationId);
  const stub = stubOf("quickstart", "canton-3.5");
  for (const operation of spec.operations) {
    const target = operation.path.replaceAll(/\{[^}]+\}/g, "x");
    expect(stub.ask(target, { method: operation.method }).status, operation.operationId).not.toBe(500);
  }
  expect(described.length).toBeGreaterThanOrEqual(40);
});

/** A recorded exchange of an additional operation. */
const recorded = (method: string, target: string, body: JsonObject, status: number, responseBody: object): Exchange =>
  exchangeOf({ method, target, headers: [["Authorization", "Bearer any"]], body, status, responseBody });

const transferInstruction = "/registry/transfer-instruction";
const excluded = { debugPackageName: null, debugPayload: null, debugCreatedAt: null };
const releasedContext = {
  choiceContextData: { values: {} },
  disclosedContracts: [{ ...disclosedContract, ...excluded }],
};
const transfer = { ...transferOf(alice, nowhere, alice), lock: null };
const firstLookup = { choiceArguments: { expectedAdmin: alice, transfer, extraArgs }, excludeDebugFields: true };
const accepting = { meta: {}, excludeDebugFields: true };
const createdEvent = {
  ...{
    offset: 1,
    nodeId: 0,
    contractId,
    templateId: disclosedContract["templateId"],
    createArgument: {},
    acsDelta: true,
  },
  ...{ witnessParties: [alice], signatories: [alice], createdAt: "2026-01-01T00:00:00Z" },
  ...{ packageName: "splice-amulet", representativePackageId: "ab".repeat(32) },
};
const assignedEvent = {
  ...{ source: "a::1220ab", target: "b::1220ab", reassignmentId: "00", submitter: "", reassignmentCounter: 1 },
  createdEvent,
};
const incomplete = [
  { workflowId: "", contractEntry: { JsEmpty: {} } },
  { workflowId: "", contractEntry: { JsIncompleteAssigned: { assignedEvent } } },
];
const error = { error: "An unexpected error occurred." };

test.each<[string, Exchange]>([
  [
    "a lookup of the first version",
    recorded("POST", `${transferInstruction}/v1/transfer-factory`, firstLookup, 200, {
      factoryId: contractId,
      transferKind: "offer",
      choiceContext: releasedContext,
    }),
  ],
  ...["v1", "v2"].flatMap((version): [string, Exchange][] => {
    const target = `${transferInstruction}/${version}/00ab/choice-contexts/accept`;
    return [
      [`null debug members of a context, ${version}`, recorded("POST", target, accepting, 200, releasedContext)],
      [`a conflict of a context, ${version}`, recorded("POST", target, accepting, 409, error)],
    ];
  }),
  ["an error of the registry", recorded("GET", "/registry/metadata/v1/info", {}, 500, error)],
  [
    "a user with null metadata",
    recorded("POST", "/v2/users", user("a", { metadata: null }), 200, user("a", { metadata: null })),
  ],
  ["incomplete reassignments", recorded("POST", "/v2/state/active-contracts", { activeAtOffset: 1 }, 200, incomplete)],
])("the checker accepts %s", (_, exchange) => {
  const profile = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });
  const verdict = checkExchange(profile, "release", exchange);
  const violations = verdict.type === "checked" ? verdict.results.flatMap((result) => result.violations) : [];
  expect(verdict.type).toBe("checked");
  expect(violations.filter(({ outcome }) => outcome !== "KNOWN")).toEqual([]);
});

test("the checker refuses a lookup of the first version with arguments of the second version that succeeds", () => {
  const { expectedAdmin: _, ...secondVersion } = firstLookup.choiceArguments;
  const target = `${transferInstruction}/v1/transfer-factory`;
  const exchange = recorded("POST", target, { choiceArguments: secondVersion }, 200, {
    factoryId: contractId,
    transferKind: "offer",
    choiceContext: releasedContext,
  });
  const verdict = checkExchange(spec, "release", exchange);
  const failed = verdict.type === "checked" ? verdict.results.filter(({ outcome }) => outcome === "FAIL") : [];
  expect(failed.map(({ rule }) => rule)).toEqual(["invalid-request-refused"]);
});

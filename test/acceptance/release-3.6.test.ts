import { createPublicKey } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { importJWK } from "jose";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { startUnderstudy } from "../../src/index.ts";
import { root, running, temporaryFolder } from "./_command-line.ts";
import { p256Key } from "./_p256-key.ts";
import { alice, asset, bob, execute, prepare, publicKey, type Stub, stub } from "./_prepared.ts";
import { exchangeOf, harOf, json } from "./_replayed.ts";
import { type PlayedProfile, type Requested, stubOf, stubOver } from "./_stub.ts";

// Release 3.6 against release 3.5. Evidence: release notes of 3.6.1, and the source and tests of Canton 3.6.

const pair: readonly PlayedProfile[] = ["canton-3.5", "canton-3.6"];

function byRelease<Value>(ask: (profile: PlayedProfile) => Value): readonly Value[] {
  return pair.map((profile) => ask(profile));
}

const users =
  'participantId: participant1::1220ab\nsynchronizers: [{ alias: a, id: "a::1220ab" }]\nusers: [{ id: nina }]\n';

function disabled(api: string, deprecatedIn: string, feature: string): object {
  return {
    code: "DEPRECATED_API_DISABLED",
    cause: `${api} was deprecated in Canton ${deprecatedIn}, is disabled by default since Canton 3.6 and will be removed in Canton 3.7. Set \`canton.participants.<participant>.features.deprecated.${feature} = true\` to re-enable it temporarily.`,
    errorCategory: 9,
    grpcCodeValue: 9,
  };
}

function refusal(target: string, requested: Requested, ledger = users): unknown {
  const { status, text } = stubOver({ ledger }, "canton-3.6", "user").ask(target, requested);
  expect(status).toBe(400);
  return JSON.parse(text);
}

test("deprecated endpoints are disabled before the token and the body are read", () => {
  expect(refusal("/v2/package-vetting", { token: "", rawBody: "no JSON" })).toMatchObject(
    disabled("POST /v2/package-vetting", "3.5", "enable-deprecated-endpoints-35"),
  );
  expect(refusal("/v2/updates/transaction-by-id", { token: "nina", body: {} })).toMatchObject(
    disabled("POST /v2/updates/transaction-by-id", "3.4", "enable-deprecated-endpoints-34"),
  );
  expect(refusal("/v2/updates/transaction-tree-by-offset/7", { token: "nina" })).toMatchObject(
    disabled("GET /v2/updates/transaction-tree-by-offset/{offset}", "3.4", "enable-deprecated-endpoints-34"),
  );
  const { ask } = stubOver({ ledger: users }, "canton-3.6", "user");
  expect(ask("/v2/package-vetting", { token: "unknown", body: {} }).status).toBe(403);
});

test("deprecated endpoints that the stub does not serve are disabled too", () => {
  expect(refusal("/v2/updates/flats", { method: "GET", token: "nina" })).toMatchObject(
    disabled("GET /v2/updates/flats", "3.4", "enable-deprecated-endpoints-34"),
  );
  expect(refusal("/v2/package-vetting", { method: "GET", token: "nina" })).toMatchObject(
    disabled("GET /v2/package-vetting", "3.5", "enable-deprecated-endpoints-35"),
  );
  expect(
    stubOver({ ledger: users }, "canton-3.5").ask("/v2/interactive-submission/preferred-package-version").status,
  ).toBe(404);
});

test("the deprecated member filter is disabled, and verbose alone is not", () => {
  const target = "/v2/state/active-contracts";
  for (const verbose of [true, false])
    expect(refusal(target, { token: "nina", body: { activeAtOffset: 0, filter: {}, verbose } })).toMatchObject(
      disabled(
        "The fields filter/verbose of the /v2/state/active-contracts requests",
        "3.4",
        "enable-deprecated-parameters-34",
      ),
    );
  const { ask } = stubOver({ ledger: users }, "canton-3.6");
  const eventFormat = { filtersForAnyParty: {} };
  expect(ask(target, { body: { activeAtOffset: 0, eventFormat, verbose: false } }).status).toBe(200);
});

test("the fixture enables deprecated features, each on its own", () => {
  const enabling = (feature: string) =>
    stubOver({ ledger: `${users}deprecatedFeatures: { ${feature}: true }\n` }, "canton-3.6");
  const vetting = (feature: string) => enabling(feature).ask("/v2/package-vetting", { body: {} }).text;
  expect(vetting("enable-deprecated-endpoints-34")).toContain("DEPRECATED_API_DISABLED");
  expect(vetting("enable-deprecated-endpoints-35")).not.toContain("DEPRECATED_API_DISABLED");
  const filter = { activeAtOffset: 0, filter: { filtersByParty: { [alice]: {} } } };
  const filtered = enabling("enable-deprecated-parameters-34").ask("/v2/state/active-contracts", { body: filter });
  expect(filtered).toMatchObject({ status: 200, text: "[]" });
});

const flags = "deprecatedFeatures: { enable-deprecated-parameters-34: true }\n";
const young = (more: Parameters<typeof stub>[0] = {}): Stub => stub({ profile: "canton-3.6", ledger: flags, ...more });

test("a transaction has its hash, and is found by it", () => {
  const requested = young();
  const prepared = prepare(requested, asset());
  const { updateId } = execute(requested, prepared).json;
  const { preparedTransactionHash: hash } = prepared.json;
  const format = (party: string) => ({
    includeTransactions: {
      eventFormat: { filtersByParty: { [party]: {} } },
      transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
    },
  });
  const byHash = (transactionHash: string, party = alice) =>
    requested.post("/v2/updates/update-by-hash", { transactionHash, updateFormat: format(party) }).json;
  expect(byHash(hash).update.Transaction.value).toMatchObject({
    updateId,
    transactionHash: hash,
    externalTransactionHash: hash,
  });
  expect(byHash("")).toMatchObject({ code: "MISSING_FIELD", context: { field_name: "transaction_hash" } });
  for (const missing of [byHash("AAAA"), byHash(hash, "carol::1220ab")])
    expect(missing).toMatchObject({
      code: "UPDATE_NOT_FOUND",
      cause: "Update not found, or not visible.",
      resources: [["TRANSACTION_HASH", expect.any(String)]],
    });
  const read = requested.post("/v2/updates/update-by-id", { updateId, updateFormat: format(bob) }).json;
  expect(read.update.Transaction.value.transactionHash).toBe(hash);
});

test("before 3.6 a transaction has no transactionHash, and there are no operations by hash", () => {
  const old = stub();
  execute(old, prepare(old, asset()));
  const update = old.world.state.ledger.updates.values().next().value;
  const eventFormat = { filtersForAnyParty: {} };
  const updateFormat = { includeTransactions: { eventFormat, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" } };
  const read = old.post("/v2/updates/update-by-id", { updateId: update?.updateId, updateFormat }).json;
  expect(read.update.Transaction.value).not.toHaveProperty("transactionHash");
  for (const path of ["/v2/updates/update-by-hash", "/v2/commands/completion-by-hash"])
    expect(old.ask(path, { body: { transactionHash: "AAAA" } }).status).toBe(404);
});

test("a completion is found by the hash of its transaction, for the parties that the caller may read", () => {
  const requested = young({ auth: "user" });
  const prepared = prepare(requested, asset(), {}, "alice");
  const { completionOffset, updateId } = execute(requested, prepared, { token: "alice" }).json;
  const completion = (transactionHash: string, token: string) =>
    requested.post("/v2/commands/completion-by-hash", { transactionHash }, token);
  const { preparedTransactionHash: hash } = prepared.json;
  expect(completion(hash, "alice").json).toEqual({
    acceptedCompletion: {
      commandId: expect.any(String),
      status: { code: 0, message: "", details: [] },
      updateId,
      userId: "alice",
      actAs: [alice],
      submissionId: "s",
      deduplicationPeriod: { Empty: {} },
      traceContext: null,
      offset: completionOffset,
      synchronizerTime: { synchronizerId: "a::1220ab", recordTime: "2026-01-01T00:00:00Z" },
      paidTrafficCost: 0,
      transactionHash: hash,
    },
    lastRejectedCompletions: [],
  });
  expect(completion("AAAA", "alice")).toMatchObject({
    status: 404,
    json: { code: "COMPLETION_NOT_FOUND", resources: [["TRANSACTION_HASH", "AAAA"]] },
  });
  expect(completion("", "alice").json.code).toBe("MISSING_FIELD");
  expect(completion(hash, "participant_admin").status).toBe(403);
});

test("the ledger end has the record times of the requested synchronizers with updates", () => {
  const requested = young();
  const ask = (query: string) => requested.ask(`/v2/state/ledger-end${query}`);
  const end = (query: string) => JSON.parse(ask(query).text);
  const both = "?synchronizer_id=c::1220ab&synchronizer_id=a::1220ab";
  expect(end(both)).toEqual({ offset: 0, synchronizerTimes: [] });
  execute(requested, prepare(requested, asset()));
  const synchronizerTimes = [{ synchronizerId: "a::1220ab", recordTime: "2026-01-01T00:00:00Z" }];
  for (const query of [both, "?synchronizer_id=a::1220ab::34-0"])
    expect(end(query)).toEqual({ offset: 1, synchronizerTimes });
  for (const query of ["", "?synchronizer_id=b::1220ab"])
    expect(end(query)).toEqual({ offset: 1, synchronizerTimes: [] });
  expect(ask("?synchronizer_id=a::1220ab&synchronizer_id=a")).toMatchObject({
    status: 400,
    contentType: "text/plain; charset=UTF-8",
    text: "Invalid value for: query parameter synchronizer_id",
  });
  const earlier = stub().ask("/v2/state/ledger-end?synchronizer_id=a");
  expect(JSON.parse(earlier.text)).toEqual({ offset: 0 });
});

test("the keys of a party are JSON Web Keys", async () => {
  const point = createPublicKey({ key: { ...p256Key }, format: "jwk" });
  const uncompressed = point.export({ format: "der", type: "spki" }).subarray(-65);
  const keysOf = (keys: string, target = `a::1220ab/party/${alice}`) => {
    const { status, text } = young({ keys }).ask(`/v2/jose/jwks/synchronizer/${target}`);
    return { status, json: JSON.parse(text) };
  };
  const raw = `, publicKeys: ["${Buffer.from(publicKey).toString("base64")}"]`;
  const { keys: edwards } = keysOf(raw).json;
  expect(edwards).toEqual([expect.objectContaining({ kty: "OKP", crv: "Ed25519", use: "sig" })]);
  expect(Buffer.from(edwards[0].x, "base64url")).toEqual(Buffer.from(publicKey));
  const elliptic = keysOf(`, publicKeys: ["${uncompressed.toString("base64")}"], keySpec: p256`).json.keys[0];
  expect(elliptic).toMatchObject(point.export({ format: "jwk" }));
  for (const key of [edwards[0], elliptic]) await importJWK(key, key.kty === "EC" ? "ES256" : "EdDSA");
  expect(keysOf(`, publicKeys: ["${Buffer.alloc(65, 4).toString("base64")}"], keySpec: p256`).json).toEqual({
    keys: [],
  });
  expect(keysOf("")).toMatchObject({ status: 404, json: { code: "PARTY_SIGNING_KEYS_NOT_FOUND" } });
  expect(keysOf(raw, `c::1220ab/party/${alice}`)).toMatchObject({
    status: 404,
    json: { code: "SYNCHRONIZER_NOT_FOUND", cause: "Could not find synchronizer." },
  });
  expect(keysOf(raw, `c/party/${alice}`)).toMatchObject({ status: 400, json: { code: "INVALID_ARGUMENT" } });
});

test("CanActAsAnyParty is a right that only an administrator grants, and implies the others", () => {
  const rights = [{ kind: { CanActAsAnyParty: { value: {} } } }];
  const grant = (profile: PlayedProfile, token = "any") =>
    stubOver({ ledger: users }, profile, token === "any" ? "bearer" : "user").ask("/v2/users/nina/rights", {
      body: { userId: "nina", rights },
      token,
    }).status;
  expect(byRelease(grant)).toEqual([400, 200]);
  const body = { userId: "erin", identityProviderId: "corporate", rights };
  expect(stubOf("quickstart", "canton-3.6", "user").ask("/v2/users/erin/rights", { token: "erin", body }).status).toBe(
    403,
  );
  const requested = young({ auth: "user" });
  requested.world.perform([{ type: "rights-revoked", userId: "alice", rights: [{ type: "CanActAs", party: alice }] }]);
  const run = () => execute(requested, prepare(requested, asset(), {}, "alice"), { token: "alice" }).status;
  expect(prepare(requested, asset(), {}, "alice").status).toBe(403);
  requested.world.perform([{ type: "rights-granted", userId: "alice", rights: [{ type: "CanActAsAnyParty" }] }]);
  expect(run()).toBe(200);
});

test("hashing scheme V4 requires protocol version 36", () => {
  const scheme = { hashingSchemeVersion: "HASHING_SCHEME_VERSION_V4", synchronizerId: "a::1220ab" };
  const prepared = (profile: PlayedProfile, version: number) =>
    prepare(young({ profile, version }), asset(), scheme).json.code ?? "prepared";
  expect([35, 36].map((version) => prepared("canton-3.6", version))).toEqual([
    "FAILED_TO_PREPARE_TRANSACTION",
    "prepared",
  ]);
  const requested = young({ version: 36 });
  const { json } = prepare(requested, asset(), scheme);
  expect(json.hashingSchemeVersion).toBe("HASHING_SCHEME_VERSION_V4");
  expect(execute(requested, { status: 200, json }).status).toBe(200);
});

test("ML-DSA-65 is an expected signature of a cost estimation from 3.6 on", () => {
  const status = (profile: PlayedProfile, algorithm: string) => {
    const command = { commandId: "c", commands: [asset()], actAs: [alice], synchronizerId: "a::1220ab" };
    const body = { ...command, estimateTrafficCost: { expectedSignatures: [algorithm] } };
    return young({ profile }).ask("/v2/interactive-submission/prepare", { body }).status;
  };
  expect(byRelease((profile) => status(profile, "SIGNING_ALGORITHM_SPEC_ML_DSA_65"))).toEqual([400, 200]);
  expect(byRelease((profile) => status(profile, "SIGNING_ALGORITHM_SPEC_ED25519"))).toEqual([200, 200]);
});

test("Request-Timeout is refused outside of one second to one minute", () => {
  const status = (value: string, profile: PlayedProfile = "canton-3.6") =>
    stubOver({ ledger: users }, profile).ask("/v2/users", { headers: [["Request-Timeout", value]] }).status;
  expect(["1000", "60000", "5000"].map((value) => status(value))).toEqual([200, 200, 200]);
  expect(["999", "60001", "0", "-5000", "5s", "", "5000.5"].map((value) => status(value))).toEqual(Array(7).fill(400));
  expect(status("0", "canton-3.5")).toBe(200);
});

/** The status of a request with a body of so many MiB. */
async function statusOfBody(url: string, mebibytes: number): Promise<number> {
  const body = JSON.stringify({ userId: "alice", rights: [], padding: "a".repeat(mebibytes * 1024 * 1024) });
  const headers = { Authorization: "Bearer any" };
  return (await fetch(`${url}/v2/users/alice/rights`, { method: "POST", body, headers })).status;
}

test("a body may have 10 MiB instead of 8", async () => {
  const send = async (profile: PlayedProfile, mebibytes: number) => {
    await using understudy = await startUnderstudy({ profile });
    return await statusOfBody(understudy.ledgerUrl, mebibytes);
  };
  expect([await send("canton-3.5", 9), await send("canton-3.6", 9), await send("canton-3.6", 10)]).toEqual([
    413, 200, 413,
  ]);
});

test.each([
  ["replay --continue-with", ["replay", "x.har", "--continue-with", join(root, "scenarios/quickstart.arazzo.yaml")]],
  ["pact states", ["pact", "states", join(root, "scenarios/quickstart.arazzo.yaml")]],
])("%s has the limit of bodies of its release", async (_name, words) => {
  const users = exchangeOf(json("GET", "/v2/users"), 200, { users: [], nextPageToken: "" });
  const folder = temporaryFolder();
  writeFileSync(join(folder, "x.har"), harOf([users]));
  const statuses = pair.map(async (profile) => {
    const server = await running([...words, "--profile", profile, "--port", "0"], { folder });
    const status = await statusOfBody(server.url, 9);
    server.stop();
    await server.ended();
    return status;
  });
  expect(await Promise.all(statuses)).toEqual([413, 200]);
});

test("values of Sec-WebSocket-Protocol are trimmed", () => {
  const status = (profile: PlayedProfile, separator: string) =>
    stubOf("quickstart", profile, "user").ask("/v2/authenticated-user", {
      token: "",
      headers: [["Sec-WebSocket-Protocol", `daml.ws.auth,${separator}jwt.token.participant_admin`]],
    }).status;
  expect(byRelease((profile) => status(profile, " "))).toEqual([401, 200]);
  expect(byRelease((profile) => status(profile, ""))).toEqual([200, 200]);
});

test("resources of errors of the node have plain types", () => {
  const resources = (profile: PlayedProfile) =>
    JSON.parse(stubOf("quickstart", profile).ask("/v2/users/unknown/rights", { body: { userId: "unknown" } }).text)
      .resources;
  expect(byRelease(resources)).toEqual([[["ErrorResource(USER)", "unknown"]], [["USER", "unknown"]]]);
});

test("JSON that is nested deeper than 100 levels is refused as text", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  const ask = (profile: PlayedProfile, levels: number) =>
    stubOf("quickstart", profile).ask("/v2/users/alice/rights", {
      rawBody: `{"userId":"alice","rights":[],"unknown":${nested(levels)}}`,
    });
  expect(byRelease((profile) => ask(profile, 99).status)).toEqual([200, 200]);
  expect(byRelease((profile) => ask(profile, 100).status)).toEqual([200, 400]);
  expect(ask("canton-3.6", 100)).toMatchObject({
    contentType: "text/plain; charset=UTF-8",
    text: "Invalid value for: body (JSON is nested deeper than 100 levels)",
  });
});

test("the version is that of the release", () => {
  const version = (profile: PlayedProfile) => JSON.parse(stubOf("quickstart", profile).ask("/v2/version").text).version;
  expect(byRelease(version)).toEqual([expect.stringMatching(/^3\.5\./), expect.stringMatching(/^3\.6\./)]);
});

test("the description of a disabled operation ends with its replacement", () => {
  const { paths } = parse(stubOver({ ledger: users }, "canton-3.6").ask("/docs/openapi").text);
  const sentence = (deprecatedIn: string, feature: string, instead: string) =>
    `\n\nDeprecated since Canton ${deprecatedIn}: disabled by default since Canton 3.6 (re-enable temporarily with \`canton.participants.<participant>.features.deprecated.${feature} = true\`) and will be removed in Canton 3.7. Use ${instead} instead.`;
  const byId = paths["/v2/updates/transaction-by-id"].post;
  const vetting = paths["/v2/package-vetting"];
  expect([byId, vetting.get, vetting.post].map(({ deprecated }) => deprecated)).toEqual([true, true, true]);
  const endings = [
    sentence("3.4", "enable-deprecated-endpoints-34", "POST /v2/updates/update-by-id"),
    sentence("3.5", "enable-deprecated-endpoints-35", "POST /v2/package-vetting/list"),
    sentence("3.5", "enable-deprecated-endpoints-35", "POST /v2/package-vetting/update"),
  ];
  for (const [index, { description }] of [byId, vetting.get, vetting.post].entries())
    expect(description.endsWith(endings[index] ?? "")).toBe(true);
  const earlier = stubOf("quickstart", "canton-3.5").ask("/docs/openapi");
  expect(earlier.text).not.toContain("disabled by default");
});

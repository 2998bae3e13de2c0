import { expect, test } from "vitest";
import { stubSpec } from "../../src/stub/pipeline/stub.ts";
import { understudy } from "./_command-line.ts";
import { type PlayedProfile, stubOf, stubOver } from "./_stub.ts";
import { here, hostMappingWithKeys, keyOf, signedBy } from "./_topology.ts";

const old: readonly PlayedProfile[] = ["canton-3.4.11", "canton-3.4.12"];
const all: readonly PlayedProfile[] = [...old, "canton-3.5"];

/** What each release responds, the oldest first. */
function byRelease<Value>(ask: (profile: PlayedProfile) => Value): readonly Value[] {
  return all.map(ask);
}

const users =
  'participantId: participant1::1220ab\nsynchronizers: [{ alias: a, id: "a::1220ab" }]\nusers: [{ id: nina }]\n';

function granted(profile: PlayedProfile, kind: string): number {
  const body = { userId: "nina", rights: [{ kind: { [kind]: { value: { party: "new::1220ab" } } } }] };
  return stubOver({ ledger: users }, profile).ask("/v2/users/nina/rights", { body }).status;
}

test("a user has primaryPartyAuthentication from 3.5 on, and its mask path", () => {
  const patch = (profile: PlayedProfile) =>
    JSON.parse(
      stubOf("quickstart", profile).ask("/v2/users/alice", {
        method: "PATCH",
        body: {
          user: { id: "alice", primaryPartyAuthentication: true },
          updateMask: { paths: ["primary_party_authentication"], unknownFields: { fields: {} } },
        },
      }).text,
    );
  expect(byRelease((profile) => patch(profile).code ?? patch(profile).user.primaryPartyAuthentication)).toEqual([
    "INVALID_USER_UPDATE_REQUEST",
    "INVALID_USER_UPDATE_REQUEST",
    true,
  ]);
  const listed = (profile: PlayedProfile) => JSON.parse(stubOf("quickstart", profile).ask("/v2/users").text).users[0];
  expect(byRelease((profile) => "primaryPartyAuthentication" in listed(profile))).toEqual([false, false, true]);
});

test("rights over unknown parties are an administrator's to grant from 3.5 on", () => {
  expect(byRelease((profile) => granted(profile, "CanActAs"))).toEqual([404, 404, 200]);
  expect(byRelease((profile) => granted(profile, "CanReadAs"))).toEqual([404, 404, 200]);
  expect(byRelease((profile) => granted(profile, "CanExecuteAs"))).toEqual([200, 200, 200]);
});

test("rights over any party are guarded from 3.5 on", () => {
  const body = {
    userId: "erin",
    identityProviderId: "corporate",
    rights: [{ kind: { CanReadAsAnyParty: { value: {} } } }],
  };
  const status = (profile: PlayedProfile) =>
    stubOf("quickstart", profile, "user").ask("/v2/users/erin/rights", { token: "erin", body }).status;
  expect(byRelease(status)).toEqual([200, 200, 403]);
});

test("an allocation knows a user, waiting and the identity provider from 3.5 on", () => {
  const key = keyOf("k");
  const party = `nina::${key.fingerprint}`;
  const allocate = (profile: PlayedProfile, more: object) => {
    const stub = stubOver({ ledger: users.replace("participant1::1220ab", here) }, profile);
    const onboardingTransactions = [{ transaction: hostMappingWithKeys(party, [key]), signatures: [] }];
    const body = { synchronizer: "a::1220ab", onboardingTransactions, multiHashSignatures: signedBy(key), ...more };
    const { status } = stub.ask("/v2/parties/external/allocate", { body });
    const row = stub.world.state.ledger.parties.get(party);
    const isLater = row !== undefined && row.visibleFromMs > stub.world.state.nowMs;
    return { status, isLater, rights: stub.world.state.ledger.users.get("nina")?.rights.size };
  };
  expect(byRelease((profile) => allocate(profile, { userId: "nina" }).rights)).toEqual([0, 0, 1]);
  expect(byRelease((profile) => allocate(profile, { waitForAllocation: false }).isLater)).toEqual([false, false, true]);
  expect(byRelease((profile) => allocate(profile, { identityProviderId: "none" }).status)).toEqual([200, 200, 400]);
});

test("unvetted dependencies are refused on every protocol version before 3.5", () => {
  const [main, needed] = ["a".repeat(64), "b".repeat(64)];
  const ledger = `participantId: p::1220ab
synchronizers: [{ alias: a, id: "a::1220ab", protocolVersion: 35 }]
packages:
  - { id: ${main}, name: main, version: 1.0.0, dependencies: [${needed}] }
  - { id: ${needed}, name: needed, version: 1.0.0 }
`;
  const body = { changes: [{ operation: { Vet: { value: { packages: [{ packageId: main }] } } } }] };
  expect(byRelease((profile) => stubOver({ ledger }, profile).ask("/v2/package-vetting", { body }).status)).toEqual([
    400, 400, 200,
  ]);
});

test("the third hashing scheme is unknown before 3.5, and errors of the JSON layer carry no trace id", () => {
  const scheme = (profile: PlayedProfile) =>
    JSON.stringify(
      stubSpec({ ledger: profile, registry: "splice-0.7" }, { hasAdditionalOperations: false }).descriptions.ledger,
    );
  expect(byRelease((profile) => scheme(profile).includes("HASHING_SCHEME_VERSION_V3"))).toEqual([false, false, true]);
  const mismatch = (profile: PlayedProfile) =>
    JSON.parse(stubOf("quickstart", profile).ask("/v2/users/alice/rights", { body: { userId: "bob" } }).text);
  expect(
    byRelease((profile) => [mismatch(profile).traceId !== null, mismatch(profile).correlationId !== null]),
  ).toEqual([
    [false, false],
    [false, false],
    [true, true],
  ]);
  const nowhere = (profile: PlayedProfile) => Object.keys(JSON.parse(stubOf("quickstart", profile).ask("/v2/x").text));
  expect(byRelease((profile) => nowhere(profile).includes("ledgerApiError"))).toEqual([false, false, true]);
});

test("a physical synchronizer id is executed from 3.5 on; the newer vetting paths came with the last patch of 3.4", () => {
  const vetting = (profile: PlayedProfile) =>
    ["list", "update"].map(
      (name) => stubOf("quickstart", profile).ask(`/v2/package-vetting/${name}`, { body: { changes: [] } }).status,
    );
  expect(byRelease(vetting)).toEqual([
    [404, 404],
    [200, 400],
    [200, 400],
  ]);
  const version = (profile: PlayedProfile) => JSON.parse(stubOf("quickstart", profile).ask("/v2/version").text).version;
  expect(byRelease(version)).toEqual(["3.4.11", "3.4.12", "3.5.19"]);
});

test("the description of 3.4.11 requires other members than its codec, which decodes like that of 3.4.12", () => {
  const { schemas } = Object(
    stubSpec({ ledger: "canton-3.4.11", registry: "splice-0.7" }, { hasAdditionalOperations: false }).descriptions
      .ledger,
  ).components;
  const { JsExecuteSubmissionAndWaitRequest, UpdateUserRequest, User } = schemas;
  expect(JsExecuteSubmissionAndWaitRequest.required).toEqual([
    "deduplicationPeriod",
    "submissionId",
    "userId",
    "hashingSchemeVersion",
  ]);
  expect(UpdateUserRequest).not.toHaveProperty("required");
  expect(User.required).toEqual(["id", "primaryParty", "isDeactivated", "identityProviderId"]);
  const whole = {
    preparedTransaction: "YQ==",
    partySignatures: { signatures: [] },
    deduplicationPeriod: { Empty: {} },
    submissionId: "s",
    userId: "alice",
    hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
  };
  for (const absent of Object.keys(whole)) {
    const body = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== absent));
    const [first, second] = old.map((profile) =>
      stubOf("quickstart", profile).ask("/v2/interactive-submission/executeAndWait", { body }),
    );
    expect(first).toEqual(second);
  }
});

test("compares profiles, and suggests a name for a misspelt one", async () => {
  const compared = await understudy(["profiles", "diff", "canton-3.4.11", "canton-3.4.12"]);
  expect(compared.out).toMatch(
    /^From canton-3\.4\.11 to canton-3\.4\.12: \d+ breaks, 0 changes, \d+ new\.\n\nBreaks: /,
  );
  expect(compared.out).toMatch(
    / {2}POST \/v2\/package-vetting\/list\n {2}POST \/v2\/package-vetting\/update\n {4}New operation\.\n$/,
  );
  const rows = (await understudy(["profiles", "diff", "canton-3.4.12", "canton-3.5", "--json"])).out.trim().split("\n");
  expect(rows.map((row) => JSON.parse(row))).toContainEqual({
    event: "difference",
    from: "canton-3.4.12",
    to: "canton-3.5",
    effect: "new",
    operation: "POST /v2/users/{user-id}/rights",
    text: "A participant administrator may grant rights over parties that do not exist.",
    source: "grantsUnknownParties",
  });
  const apis = await understudy(["profiles", "diff", "canton-3.5", "splice-0.7"]);
  expect(apis).toMatchObject({ exitCode: 2, error: expect.stringContaining("profiles of different APIs") });
  for (const words of [["canton-3.5"], ["canton-3.5", "canton-3.4"], ["canton-3.5", "canton-3.5"]])
    expect(await understudy(["profiles", "diff", ...words])).toMatchObject({ exitCode: 2, out: "" });
});

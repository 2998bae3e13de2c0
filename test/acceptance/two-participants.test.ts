import { ed25519 } from "@noble/curves/ed25519.js";
import { expect, test } from "vitest";
import { diskFiles } from "../../src/entrypoints/library/files.ts";
import { createUnderstudy, startUnderstudy } from "../../src/index.ts";
import { loadScenario } from "../../src/scenarios/files/load-scenario.ts";
import { mintToken } from "../../src/stub/tokens/mint-token.ts";

const scenario = "scenarios/two-participants.arazzo.yaml";
const synchronizer = "global-domain::1220fa79dd1ee8fe25d601870c1b05bb634a8086134bfbe57f870549e2ddaca444e2";
const participant1 = "participant1::122056e00d8eef432e448963fb33d31cbc989835384ec290868e0a0f7573b254b1af";
const participant2 = "participant2::1220d2af4dc8fb25885c11df85c80afeb1b6ba8c1cd1ceb05d0694567b6b0a82a435";
const secret = new Uint8Array(32).fill(7);
const start = Date.parse("2026-01-01T00:00:00Z");
const json = { "Content-Type": "application/json" };

/** A stub that verifies signatures, with requests to both participants. */
function participants() {
  const understudy = createUnderstudy({ scenario, profile: "canton-3.5", verifySignatures: true });
  const at = (base: string) => async (method: string, path: string, body?: object) => {
    const given = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { ...json, Authorization: "Bearer any" };
    const response = await understudy.fetch(`${base}${path}`, { method, headers, ...given });
    return { status: response.status, json: JSON.parse(await response.text()) };
  };
  return { understudy, at, first: at(""), second: at("/w/participant2") };
}

type Participants = ReturnType<typeof participants>;

/** The onboarding of a party with a key, and its signature of the topology. */
async function topology({ first }: Participants, partyHint: string) {
  const { json: made } = await first("POST", "/v2/parties/external/generate-topology", {
    synchronizer,
    partyHint,
    publicKey: {
      format: "CRYPTO_KEY_FORMAT_RAW",
      keyData: Buffer.from(ed25519.getPublicKey(secret)).toString("base64"),
      keySpec: "SIGNING_KEY_SPEC_EC_CURVE25519",
    },
    otherConfirmingParticipantUids: [participant2],
  });
  const unsigned = {
    synchronizer,
    onboardingTransactions: made.topologyTransactions.map((transaction: string) => ({ transaction, signatures: [] })),
  };
  const signature = {
    format: "SIGNATURE_FORMAT_CONCAT",
    signature: Buffer.from(ed25519.sign(Buffer.from(made.multiHash, "base64"), secret)).toString("base64"),
    signedBy: made.publicKeyFingerprint,
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  };
  return { party: String(made.partyId), unsigned, signed: { ...unsigned, multiHashSignatures: [signature] } };
}

const allocate = "/v2/parties/external/allocate";
const shows = async (ask: Participants["first"], party: string) =>
  (await ask("GET", `/v2/parties/${encodeURIComponent(party)}`)).json.partyDetails.length === 1;

test("a party of two participants can be used once both have allocated it, in either order", async () => {
  for (const isFirstFirst of [true, false]) {
    const both = participants();
    const { party, unsigned, signed } = await topology(both, "shared");
    const [one, two] = isFirstFirst ? [both.first, both.second] : [both.second, both.first];
    expect((await two("POST", allocate, unsigned)).status).toBe(400);
    expect((await one("POST", allocate, signed)).json).toEqual({ partyId: party });
    both.understudy.clock.advance("PT10S");
    expect([await shows(one, party), await shows(two, party)]).toEqual([false, false]);
    expect((await two("POST", allocate, unsigned)).json).toEqual({ partyId: party });
    both.understudy.clock.advance("PT10S");
    expect([await shows(one, party), await shows(two, party)]).toEqual([true, true]);
    expect((await two("POST", allocate, signed)).status).toBe(400);
  }
});

test("the signatures of one onboarding do not count for another one of the same party", async () => {
  const both = participants();
  const { signed, unsigned } = await topology(both, "shared");
  await both.first("POST", allocate, signed);
  const { unsigned: other } = await topology(both, "other");
  const mixed = [...unsigned.onboardingTransactions, ...other.onboardingTransactions];
  expect((await both.second("POST", allocate, { ...unsigned, onboardingTransactions: mixed })).status).toBe(400);
  expect((await both.second("POST", allocate, other)).status).toBe(400);
});

test("each participant has its own users, packages and journal", async () => {
  const { understudy, first, second } = participants();
  const ids = ({ json: { users } }: { json: { users: { id: string }[] } }) => users.map(({ id }) => id);
  await second("POST", "/v2/users", { user: { id: "new" }, rights: [] });
  expect(ids(await second("GET", "/v2/users"))).toEqual(["new", "participant_admin", "pat"]);
  expect(ids(await first("GET", "/v2/users"))).not.toContain("new");
  expect((await second("GET", "/v2/parties/participant-id")).json).toEqual({ participantId: participant2 });
  expect((await second("GET", "/v2/packages")).json.packageIds).toEqual([]);
  expect(understudy.journal.map(({ operationId }) => operationId)).toEqual(["getV2Users"]);
});

test("with --auth jwt, each participant accepts tokens for its own audience", async () => {
  const understudy = createUnderstudy({ scenario, profile: "canton-3.5", auth: "jwt" });
  const times = { issuedAtMs: start, expiresAtMs: start + 3_600_000 };
  const statuses = async (audience: string | undefined, scope?: string) => {
    const content = { userId: "participant_admin", audience, scope, issuer: undefined, ...times };
    const headers = { Authorization: `Bearer ${await mintToken(content, { secret: "unsafe" })}` };
    const asked = ["", "/w/participant2"].map((base) => understudy.fetch(`${base}/v2/users`, { headers }));
    return (await Promise.all(asked)).map(({ status }) => status);
  };
  const ofParticipant = (id: string) => `https://daml.com/jwt/aud/participant/${id}`;
  expect(await statuses(ofParticipant(participant1))).toEqual([200, 401]);
  expect(await statuses(ofParticipant(participant2))).toEqual([401, 200]);
  expect(await statuses(undefined, "daml_ledger_api")).toEqual([200, 200]);
});

test("a fork has its own participants, and a reset restores all participants", async () => {
  await using understudy = await startUnderstudy({ scenario });
  const headers = { ...json, Authorization: "Bearer any" };
  const create = (base: string) =>
    fetch(`${base}/v2/users`, { method: "POST", headers, body: JSON.stringify({ user: { id: "new" }, rights: [] }) });
  const second = `${understudy.ledgerUrl}/w/participant2`;
  const control = async (path: string, method = "POST") => {
    const response = await fetch(`${understudy.ledgerUrl}/__understudy/worlds/${path}`, { method });
    return JSON.parse(await response.text());
  };
  expect((await create(second)).status).toBe(200);
  expect((await control("participant2/fork")).id).toBe("fork-1-participant2");
  expect((await create(`${understudy.ledgerUrl}/w/fork-1-participant2`)).status).toBe(409);
  await control("default/reset");
  expect((await control("participant2/journal", "GET")).exchanges).toEqual([]);
  expect((await create(second)).status).toBe(200);
  expect((await create(`${understudy.ledgerUrl}/w/fork-1-participant2`)).status).toBe(409);
  await control("fork-1", "DELETE");
  const { worlds } = await control("", "GET");
  expect(worlds.map(({ id }: { id: string }) => id)).toEqual(["default", "participant2"]);
  expect((await control("participant2", "DELETE")).error).toContain("cannot be removed");
});

test("a plan is about the first participant, whichever participant is called next", async () => {
  const { understudy, first, second } = participants();
  understudy.plan({ at: "PT1S", deactivateUser: "alice" }, { on: "getV2Idps", deactivateUser: "bob" });
  understudy.clock.advance("PT2S");
  await second("GET", "/v2/idps");
  const deactivated = async (id: string) => (await first("GET", `/v2/users/${id}`)).json.user.isDeactivated;
  expect([await deactivated("alice"), await deactivated("bob")]).toEqual([true, true]);
});

const given = (participant: string) => `workflows:
  - workflowId: w
    x-understudy:
      given: { ledger: ../fixtures/ledgers/two-synchronizers.yaml, registry: ../fixtures/registries/amulet.yaml, participants: { second: ${participant} } }
    steps:
      - { stepId: one, operationId: getV2Users, x-participant: secnd }
`;

test("refuses a step whose participant is an object, whatever members it has", () => {
  const text = given("../fixtures/ledgers/second-participant.yaml").replace("secnd", "{ toString: 1, valueOf: 1 }");
  const read = (path: string) => (path === "scenarios/given.yaml" ? text : diskFiles.read(path));
  const problem = "workflows.0.steps.0.x-participant is an object, which is not a string";
  expect(loadScenario("scenarios/given.yaml", { ...diskFiles, read })).toMatchObject({ problems: [{ problem }] });
});

test.each([
  ["a step of an unknown participant", "../fixtures/ledgers/second-participant.yaml", 'unknown participant "secnd"'],
  ["a missing fixture", "missing.yaml", "given.participants.second: File not found: missing.yaml"],
  ["the same participant twice", "../fixtures/ledgers/two-synchronizers.yaml", "two participants have the id"],
])("refuses %s", (_what, participant, problem) => {
  const isStep = problem.startsWith("unknown");
  const text = isStep ? given(participant) : given(participant).replace(", x-participant: secnd", "");
  const read = (path: string) => (path === "scenarios/given.yaml" ? text : diskFiles.read(path));
  const loaded = loadScenario("scenarios/given.yaml", { ...diskFiles, read });
  expect(loaded).toMatchObject({ problems: [{ problem: expect.stringContaining(problem) }] });
});

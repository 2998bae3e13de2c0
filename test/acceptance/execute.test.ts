import { PreparedTransaction } from "@canton-network/core-ledger-proto";
import { expect, test } from "vitest";
import { holdingsOf, readInstruction } from "../../src/simulator/daml/token-contracts.ts";
import type { World } from "../../src/simulator/world/world.ts";
import { expectRefused, hashOfWorld, type PlayedProfile, stubOf, stubOver } from "./_stub.ts";
import { base64 } from "./_topology.ts";

const profiles: readonly PlayedProfile[] = ["spec", "canton-3.5"];
const path = "/v2/interactive-submission/executeAndWait";
const [alice, bob, carol] = ["alice::1220ab", "bob::1220ab", "carol::1220ab"];
const synchronizer = "a::1220ab";
const ledger = (more = "") => `participantId: participant1::1220ab
ledgerEnd: "9007199254740993"
identityProviders: [{ id: corporate, issuer: i, jwksUrl: j }]
limits: { deduplicationMax: PT24H }
synchronizers: [{ alias: a, id: "${synchronizer}"${more} }]
parties: [{ id: "${alice}" }, { id: "${bob}" }, { id: "${carol}" }]
users:
  - { id: root, rights: [ParticipantAdmin] }
  - { id: alice, rights: [{ CanActAs: "${alice}" }] }
  - { id: executor, rights: [{ CanExecuteAs: "${alice}" }] }
  - { id: anyone, rights: [CanExecuteAsAnyParty] }
  - { id: reader, rights: [{ CanReadAs: "${alice}" }] }
`;
const declared = (name: string) => base64(new TextEncoder().encode(name));
const registry = `admin: dso::1220ab
factory: { context: [] }
contracts: []
holdings:
  - { name: one, owner: "${alice}", instrument: Amulet, amount: "10" }
  - { name: two, owner: "${alice}", instrument: Amulet, amount: "5.5" }
  - { name: his, owner: "${bob}", instrument: Amulet, amount: "1" }
preparedTransactions:
  - { value: ${declared("offer")}, actAs: ["${alice}"], commandId: offer, effect: { transfer: offer, inputs: [one, two], to: "${bob}", amount: "12.25" } }
  - { value: ${declared("again")}, actAs: ["${alice}"], commandId: again, effect: { transfer: offer, inputs: [one], to: "${bob}", amount: "1" } }
  - { value: ${declared("direct")}, actAs: ["${alice}"], commandId: direct, effect: { transfer: direct, inputs: [one], to: "${carol}", amount: "10" } }
  - { value: ${declared("preapprove")}, actAs: ["${carol}"], commandId: preapprove, effect: { preapprove: "${carol}" } }
  - { value: ${declared("theft")}, actAs: ["${alice}"], commandId: theft, effect: { transfer: self, inputs: [his], to: "${alice}", amount: "1" } }
  - { value: ${declared("overdraft")}, actAs: ["${alice}"], commandId: overdraft, effect: { transfer: self, inputs: [two], to: "${alice}", amount: "6" } }
`;

interface Prepared {
  readonly actAs?: readonly string[];
  readonly commandId?: string;
  readonly synchronizerId?: string;
  readonly roots?: readonly string[];
  readonly minLedgerEffectiveTime?: bigint;
  readonly maxLedgerEffectiveTime?: bigint;
}

function prepared({
  actAs = [alice],
  commandId = "c1",
  synchronizerId = synchronizer,
  roots = ["0"],
  minLedgerEffectiveTime,
  maxLedgerEffectiveTime,
}: Prepared = {}): string {
  const metadata = {
    submitterInfo: { actAs: [...actAs], commandId },
    synchronizerId,
    mediatorGroup: 0,
    transactionUuid: "u",
    preparationTime: 1n,
    inputContracts: [],
    globalKeyMapping: [],
    ...(minLedgerEffectiveTime === undefined ? {} : { minLedgerEffectiveTime }),
    ...(maxLedgerEffectiveTime === undefined ? {} : { maxLedgerEffectiveTime }),
  };
  return base64(
    PreparedTransaction.toBinary({
      transaction: { version: "2.1", roots: [...roots], nodes: [], nodeSeeds: [] },
      metadata,
    }),
  );
}

const signature = {
  format: "SIGNATURE_FORMAT_CONCAT",
  signature: "AAAA",
  signedBy: "1220ab",
  signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
};
const signedFor = (...parties: readonly string[]) => ({
  signatures: parties.map((party) => ({ party, signatures: [signature] })),
});

function request(preparedTransaction: string, more: object = {}) {
  return {
    preparedTransaction,
    partySignatures: signedFor(alice),
    submissionId: "s1",
    hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
    deduplicationPeriod: { Empty: {} },
    ...more,
  };
}

function stub(profile: PlayedProfile = "canton-3.5", auth: "none" | "bearer" | "user" = "bearer", more = "") {
  const { world, ask } = stubOver({ ledger: ledger(more), registry }, profile, auth);
  return { world, execute: (body: unknown, token?: string) => ask(path, { body, token }) };
}

test("executes prepared transactions with distinct update ids and growing offsets, exact above 2^53", () => {
  for (const profile of profiles) {
    const { execute } = stub(profile);
    const [first, second] = ["c1", "c2"].map((commandId) => execute(request(prepared({ commandId }))));
    expect(first).toMatchObject({ status: 200, contentType: "application/json" });
    expect(first?.text).toMatch(/^\{"updateId":"1220[0-9a-f]{64}","completionOffset":\d+\}$/);
    const offsets = [first, second].map((response) =>
      BigInt(/"completionOffset":(\d+)/.exec(response?.text ?? "")?.[1] ?? 0),
    );
    expect(offsets).toEqual([9007199254740994n, 9007199254740995n]);
    expect(first?.text.slice(0, 80)).not.toBe(second?.text.slice(0, 80));
  }
});

test("refuses the same command again within the period, for any submission id, and names the first submission", () => {
  const { world, execute } = stub();
  const period = { deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 60, nanos: 0 } } } };
  execute(request(prepared(), { submissionId: "first" }));
  const before = hashOfWorld(world);
  const response = execute(request(prepared(), { submissionId: "second", ...period }));
  expect(response.status).toBe(409);
  expect(JSON.parse(response.text)).toMatchObject({
    code: "DUPLICATE_COMMAND",
    errorCategory: 10,
    grpcCodeValue: 6,
    context: { existing_submission_id: "first" },
  });
  expect(hashOfWorld(world)).toBe(before);
  expect(execute(request(prepared({ commandId: "c2" }), period)).status).toBe(200);
  expect(
    execute(request(prepared({ actAs: [alice, bob] }), { ...period, partySignatures: signedFor(alice, bob) })).status,
  ).toBe(200);
  expect(execute(request(prepared(), { userId: "another", ...period })).status).toBe(200);
  world.advanceBy(60_000);
  expect(execute(request(prepared(), period)).status).toBe(409);
  world.advanceBy(1);
  expect(execute(request(prepared(), period)).status).toBe(200);
});

test("deduplicates from an offset on, and for the longest period by default", () => {
  const { world, execute } = stub();
  const offset = Number.parseInt(/"completionOffset":(\d+)/.exec(execute(request(prepared())).text)?.[1] ?? "", 10);
  const from = (value: number) =>
    execute(request(prepared(), { deduplicationPeriod: { DeduplicationOffset: { value } } })).status;
  expect(from(1)).toBe(409);
  world.advanceBy(23 * 3600 * 1000);
  expect(execute(request(prepared())).status).toBe(409);
  world.advanceBy(2 * 3600 * 1000);
  expect(execute(request(prepared())).status).toBe(200);
  expect(offset).toBeGreaterThan(0);
});

test.each(["canton-3.6", "canton-3.5", "canton-3.4.12", "canton-3.4.11"] as const)(
  "%s refuses an execution without a deduplication period",
  (profile) => {
    const { deduplicationPeriod: _absent, ...without } = request(prepared());
    const { ask } = stubOf("quickstart", profile);
    const target = "/v2/interactive-submission/executeAndWait";
    expect(ask(target, { body: without }).text).toBe(
      "Invalid value for: body (Missing required field at 'deduplicationPeriod')",
    );
    expect(ask(target, { body: { ...without, deduplicationPeriod: { Empty: {} } } }).contentType).toBe(
      "application/json",
    );
  },
);

test("accepts a failed command again", () => {
  const { execute } = stub();
  expect(execute(request(prepared(), { partySignatures: signedFor(bob) })).status).toBe(400);
  expect(execute(request(prepared())).status).toBe(200);
});

function holdingsIn({ state }: World) {
  return holdingsOf(state.ledger.contracts.values(), state.registry).map(({ holding }) => holding);
}

test("offers a transfer: archives the inputs, locks the amount, returns the change and creates the instruction", () => {
  const { world, execute } = stub();
  expect(execute(request(declared("offer"))).status).toBe(200);
  const shown = holdingsIn(world).map(({ owner, amount, lock }) => [owner, amount, lock !== undefined]);
  expect(shown.sort()).toEqual([
    [alice, "12.2500000000", true],
    [alice, "3.2500000000", false],
    [bob, "1.0000000000", false],
  ]);
  const pending = [...world.state.ledger.contracts.values()].flatMap((contract) => readInstruction(contract) ?? []);
  expect(pending).toMatchObject([{ sender: alice, receiver: bob, amount: "12.2500000000" }]);
  expect(JSON.parse(execute(request(declared("again"))).text)).toMatchObject({ code: "CONTRACT_NOT_FOUND" });
});

test("transfers an exact amount directly, without change, once the receiver has pre-approved", () => {
  const { world, execute } = stub();
  expect(execute(request(declared("direct"))).status).toBe(400);
  expect(execute(request(declared("preapprove"), { partySignatures: signedFor(carol) })).status).toBe(200);
  expect(world.state.registry.preapprovals.has(carol)).toBe(true);
  expect(execute(request(declared("direct"))).status).toBe(200);
  const held = holdingsIn(world).map(({ owner, amount }) => `${owner} ${amount}`);
  expect(held.sort()).toEqual([`${alice} 5.5000000000`, `${bob} 1.0000000000`, `${carol} 10.0000000000`]);
});

const failed = "FAILED_TO_EXECUTE_TRANSACTION";
const lasting = (seconds: number, nanos = 0) => ({ DeduplicationDuration: { value: { seconds, nanos } } });
const within = (period: object) => request(prepared(), { deduplicationPeriod: period });
const signedWith = (...signatures: readonly object[]) =>
  request(prepared(), { partySignatures: { signatures: [{ party: alice, signatures }] } });
const tooMany = Array.from({ length: 51 }, () => signature);
const early = { time: { MinLedgerTimeRel: { value: { seconds: -1, nanos: 0 } } } };
const unspecified = {
  format: { ...signature, format: "SIGNATURE_FORMAT_UNSPECIFIED" },
  algorithm: { ...signature, signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_UNSPECIFIED" },
  scheme: { hashingSchemeVersion: "HASHING_SCHEME_VERSION_UNSPECIFIED" },
};

test.each([
  ["text that is not base64", request("%%"), undefined],
  ["base64 that is not a prepared transaction", request(base64(new Uint8Array([255, 255]))), "INVALID_ARGUMENT"],
  ["an empty prepared transaction", request(""), "MISSING_FIELD"],
  ["an invalid submission id", request(prepared(), { submissionId: "a\u0000b" }), "INVALID_FIELD"],
  ["a submission id that is too long", request(prepared(), { submissionId: "a".repeat(256) }), "INVALID_FIELD"],
  ["an invalid user id", request(prepared(), { userId: "a b" }), "INVALID_FIELD"],
  ["a negative duration", within(lasting(-1)), "INVALID_FIELD"],
  ["a negative fraction of a duration", within(lasting(0, -1)), "INVALID_FIELD"],
  ["a negative offset", within({ DeduplicationOffset: { value: -1 } }), "NEGATIVE_OFFSET"],
  ["a period above the maximum", within(lasting(86401)), "INVALID_DEDUPLICATION_PERIOD"],
  ["no submitter", request(prepared({ actAs: [] })), "MISSING_FIELD"],
  ["a submitter without a namespace", request(prepared({ actAs: ["x"] })), failed],
  ["an invalid party as submitter", request(prepared({ actAs: ["x@"] })), failed],
  ["no command id", request(prepared({ commandId: "" })), "MISSING_FIELD"],
  ["no synchronizer", request(prepared({ synchronizerId: "" })), "MISSING_FIELD"],
  ["an invalid synchronizer id", request(prepared({ synchronizerId: "x" })), "INVALID_FIELD"],
  ["another synchronizer", request(prepared({ synchronizerId: "b::1220ab" })), failed],
  ["two roots", request(prepared({ roots: ["0", "1"] })), failed],
  ["no signature", request(prepared(), { partySignatures: { signatures: [] } }), failed],
  ["the signature of another party", request(prepared(), { partySignatures: signedFor(bob) }), failed],
  ["too many signatures", signedWith(...tooMany), failed],
  ["a signature for no party", request(prepared(), { partySignatures: signedFor("x") }), "INVALID_FIELD"],
  ["an unspecified format", signedWith(unspecified.format), "INVALID_FIELD"],
  ["an unspecified algorithm", signedWith(unspecified.algorithm), "INVALID_FIELD"],
  ["an unspecified hashing scheme", request(prepared(), unspecified.scheme), "INVALID_FIELD"],
  ["an unknown hashing scheme", request(prepared(), { hashingSchemeVersion: "V2" }), undefined],
  ["a time that has passed", request(prepared({ maxLedgerEffectiveTime: 1n })), "LEDGER_TIME_OUTSIDE_BOUNDS"],
  ["a negative ledger time", request(prepared(), { minLedgerTime: early }), "INVALID_FIELD"],
  ["another owner's holding", request(declared("theft")), failed],
  ["holdings that do not suffice", request(declared("overdraft")), failed],
  ["no signatures member", { ...request(prepared()), partySignatures: undefined }, undefined],
  ["no submission id member", { ...request(prepared()), submissionId: undefined }, undefined],
] as const)("refuses %s with 400 and changes nothing", (_name, body, code) => {
  for (const profile of profiles) {
    const { world, execute } = stub(profile);
    expectRefused(profile, { world, send: () => execute(body) }, 400, code);
  }
});

test("requires a connected synchronizer", () => {
  const { execute } = stub("canton-3.5", "bearer", ", connected: false");
  expect(JSON.parse(execute(request(prepared())).text)).toMatchObject({ code: "NOT_CONNECTED_TO_ANY_SYNCHRONIZER" });
});

test("lets a user execute who may act or execute as every submitter", () => {
  const by = (token: string, more: object = {}, body: string = prepared()) =>
    stub("spec", "user").execute(request(body, more), token).status;
  expect([by("alice"), by("executor"), by("anyone"), by("alice", { userId: "alice" })]).toEqual([200, 200, 200, 200]);
  expect([by("reader"), by("root"), by("alice", { userId: "executor" })]).toEqual([403, 403, 403]);
  expect(by("alice", { partySignatures: signedFor(alice, bob) }, prepared({ actAs: [alice, bob] }))).toBe(403);
  expect(by("")).toBe(401);
});

test("refuses an execution if neither token nor request names a user", () => {
  const { execute } = stub("canton-3.5", "none");
  expect(JSON.parse(execute(request(prepared()), "").text)).toMatchObject({ code: "INVALID_TOKEN" });
  expect(execute(request(prepared(), { userId: "alice" }), "").status).toBe(200);
});

test("counts a deduplication period in nanoseconds, up to the maximum", () => {
  const { world, execute } = stub();
  const status = (seconds: number, nanos: number) => execute(within(lasting(seconds, nanos))).status;
  expect(status(86_400, 0)).toBe(200);
  world.advanceBy(500);
  expect([status(0, 500_000_000), status(0, 499_000_000)]).toEqual([409, 200]);
  expect(status(86_400, 1_000_000)).toBe(400);
});

test("deduplicates after the named offset, which the ledger must have reached", () => {
  const { ask } = stubOver({ ledger: ledger().replace("9007199254740993", "9"), registry }, "canton-3.5");
  const from = (value: number) =>
    ask(path, { body: request(prepared(), { deduplicationPeriod: { DeduplicationOffset: { value } } }) });
  expect(from(9).text).toContain('"completionOffset":10');
  expect([from(9), from(0)].map(({ status }) => status)).toEqual([409, 409]);
  expect(JSON.parse(from(11).text)).toMatchObject({ code: "INVALID_DEDUPLICATION_PERIOD" });
  expect(from(10).text).toContain('"completionOffset":11');
});

test("treats submitters in any order as the same command", () => {
  const { execute } = stub();
  const by = (...actAs: readonly string[]) =>
    execute(request(prepared({ actAs }), { partySignatures: signedFor(alice, bob) })).status;
  expect([by(bob, alice), by(alice, bob), by(alice)]).toEqual([200, 409, 200]);
});

test("executes within the bounds of the ledger time, both included", () => {
  const { world, execute } = stub();
  const nowMicros = BigInt(world.state.nowMs) * 1000n;
  const status = (times: Prepared, commandId: string) => execute(request(prepared({ ...times, commandId }))).status;
  expect(status({ minLedgerEffectiveTime: nowMicros, maxLedgerEffectiveTime: nowMicros }, "at")).toBe(200);
  expect(status({ minLedgerEffectiveTime: nowMicros + 1000n }, "early")).toBe(400);
  expect(status({ maxLedgerEffectiveTime: nowMicros - 1000n }, "late")).toBe(400);
});

test("accepts the maximum number of signatures, and refuses an empty list", () => {
  const { execute } = stub();
  expect(execute(signedWith()).status).toBe(400);
  expect(execute(signedWith(...tooMany.slice(1))).status).toBe(200);
});

test("accepts the physical id of a synchronizer, and refuses a longer one", () => {
  const { execute } = stub();
  expect(execute(request(prepared({ synchronizerId: `${synchronizer}::34-0` }))).status).toBe(200);
  expect(execute(request(prepared({ commandId: "c2", synchronizerId: `${synchronizer}0` }))).status).toBe(400);
});

test("reports a problem of the prepared transaction before a problem of the signatures", () => {
  const body = request(prepared({ actAs: [] }), { partySignatures: signedFor("x") });
  expect(JSON.parse(stub().execute(body).text)).toMatchObject({ code: "MISSING_FIELD" });
});

test("generates a distinct submission id if the request has none, the same for the same seed", () => {
  const names = () => {
    const { execute } = stub();
    return ["c1", "c2"].map((commandId) => {
      const body = request(prepared({ commandId }), { submissionId: "" });
      execute(body);
      return JSON.parse(execute(body).text).context.existing_submission_id;
    });
  };
  expect(names()).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
  expect(new Set(names()).size).toBe(2);
  expect(names()).toEqual(names());
});

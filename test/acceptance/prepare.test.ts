import { PreparedTransaction } from "@canton-network/core-ledger-proto";
import { hashPreparedTransaction } from "@canton-network/core-tx-visualizer";
import { ed25519 } from "@noble/curves/ed25519.js";
import { p256, p384 } from "@noble/curves/nist.js";
import { expect, test } from "vitest";
import { fingerprintOf } from "../../src/foundation/protobuf/fingerprint.ts";
import {
  decodePreparedTransaction,
  encodePreparedTransaction,
} from "../../src/foundation/protobuf/prepared-transaction.ts";
import { preparedTransactionHash } from "../../src/foundation/protobuf/transaction-hash.ts";
import {
  alice,
  asset,
  bob,
  dso,
  execute,
  holdingsOfParty,
  lookUp,
  prepare,
  prepareTransfer,
  publicKey,
  type Stub,
  secret,
  signature,
  signed,
  stub,
} from "./_prepared.ts";
import { hashOfWorld } from "./_stub.ts";

test("a prepared transaction has the published form and hash, for all kinds of values", async () => {
  for (const prepared of [prepare(stub(), asset()), prepareTransfer(stub())]) {
    expect(prepared.status).toBe(200);
    const { preparedTransaction, preparedTransactionHash } = prepared.json;
    expect(await hashPreparedTransaction(preparedTransaction)).toBe(preparedTransactionHash);
    const bytes = Buffer.from(preparedTransaction, "base64");
    const theirs = PreparedTransaction.toBinary(PreparedTransaction.fromBinary(bytes));
    const again = decodePreparedTransaction(Buffer.from(theirs).toString("base64"));
    expect(again).toEqual(decodePreparedTransaction(preparedTransaction));
    if (again === undefined) throw new Error("not decoded");
    expect(decodePreparedTransaction(encodePreparedTransaction(again))).toEqual(again);
  }
});

test("hashing scheme V3 also signs the maximum record time, and requires protocol version 35", () => {
  const requested = { hashingSchemeVersion: "HASHING_SCHEME_VERSION_V3", synchronizerId: "a::1220ab" };
  expect(prepare(stub(), asset(), requested).json.code).toBe("FAILED_TO_PREPARE_TRANSACTION");
  const young = stub({ version: 35 });
  const { json } = prepare(young, asset(), { ...requested, maxRecordTime: "2026-01-02T00:00:00Z" });
  const decoded = decodePreparedTransaction(json.preparedTransaction);
  if (decoded?.metadata === undefined) throw new Error("not decoded");
  expect(decoded.metadata).toMatchObject({
    synchronizerId: "a::1220ab::35-0",
    maxRecordTimeMicros: 1_767_312_000_000_000n,
  });
  const hash = (prepared: typeof decoded) => Buffer.from(preparedTransactionHash(prepared, "V3")).toString("base64");
  expect(hash(decoded)).toBe(json.preparedTransactionHash);
  expect(hash({ ...decoded, metadata: { ...decoded.metadata, maxRecordTimeMicros: 1n } })).not.toBe(hash(decoded));
});

test("the same seed and requests prepare the same bytes", () => {
  const prepared = () => prepare(stub(), asset(), { commandId: "same" }).json.preparedTransaction;
  expect(prepared()).toBe(prepared());
});

test("a package name resolves to its newest package, and stakeholders come from the fields of the argument", () => {
  const requested = stub();
  execute(requested, prepare(requested, asset()));
  const filter = {
    filtersByParty: {
      [bob]: { cumulative: [{ identifierFilter: { TemplateFilter: { value: { templateId: "#app:Main:Asset" } } } }] },
    },
  };
  const [entry] = requested.post("/v2/state/active-contracts", { activeAtOffset: 1, filter }).json;
  expect(entry.contractEntry.JsActiveContract.createdEvent).toMatchObject({
    templateId: `${"b".repeat(64)}:Main:Asset`,
    signatories: [alice],
    observers: [bob],
    createArgument: {
      owner: alice,
      watchers: [bob],
      amount: "1.5000000000",
      count: "3",
      nested: { list: [null, true, "x"] },
    },
  });
});

test("after a reset, another contract at the same offset is active", () => {
  const requested = stub();
  const filter = { filtersByParty: { [bob]: { cumulative: [] } } };
  const countOfActive = () => requested.post("/v2/state/active-contracts", { activeAtOffset: 1, filter }).json.length;
  const counts = Array.from({ length: 6 }, (_, index) => {
    requested.world.reset();
    execute(requested, prepare(requested, asset(), { commandId: `command-${index}` }));
    return countOfActive();
  });
  expect(new Set(counts)).toEqual(new Set([counts[0]]));
  expect(counts[0]).toBeGreaterThan(1);
});

test("a declared choice consumes its contract or not; an archived contract is not found", () => {
  const requested = stub();
  const created = execute(requested, prepare(requested, asset()), { path: "executeAndWaitForTransaction" }).json
    .transaction;
  const { contractId } = created.events[0].CreatedEvent;
  const choose = (choice: string) => prepare(requested, exercise(contractId, choice));
  expect(execute(requested, choose("Use")).status).toBe(200);
  const [first, second] = [choose("Spend"), choose("Archive")];
  expect(execute(requested, first).status).toBe(200);
  expect(execute(requested, second).json).toMatchObject({
    code: "CONTRACT_NOT_FOUND",
    resources: [["ErrorResource(CONTRACT_ID)", contractId]],
  });
  expect(choose("Use").json.code).toBe("CONTRACT_NOT_FOUND");
  expect(choose("Sell").json.code).toBe("CONTRACT_NOT_FOUND");
});

test("a create-and-exercise command prepares two roots, which an execution refuses", () => {
  const requested = stub();
  const both = { CreateAndExerciseCommand: { ...asset().CreateCommand, choice: "Spend", choiceArgument: {} } };
  const prepared = prepare(requested, both, { hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2" });
  expect(decodePreparedTransaction(prepared.json.preparedTransaction)?.transaction?.roots).toEqual(["0", "1"]);
  expect(execute(requested, prepared).json.cause).toMatch(/2 roots/);
});

const byKey = { ExerciseByKeyCommand: { templateId: "a", contractKey: 1, choice: "x", choiceArgument: {} } };
const ofNoPackage = { CreateCommand: { templateId: "#none:A:B", createArguments: {} } };
const exercise = (contractId: string, choice: string) => ({
  ExerciseCommand: { templateId: "#app:Main:Asset", contractId, choice, choiceArgument: {} },
});
const disconnected = { synchronizerId: "z::1220ab" };

test.each<[what: string, command: object, more: object, code: string]>([
  ["no command id", asset(), { commandId: "" }, "MISSING_FIELD"],
  ["a bad command id", asset(), { commandId: "a\nb" }, "INVALID_FIELD"],
  ["a bad user id", asset(), { userId: "a b" }, "INVALID_FIELD"],
  ["no submitter", asset(), { actAs: [] }, "MISSING_FIELD"],
  ["an invalid party as submitter", asset(), { actAs: ["al@ice"] }, "INVALID_ARGUMENT"],
  ["an unknown party as submitter", asset(), { actAs: ["alice"] }, "UNKNOWN_SUBMITTERS"],
  ["no command", asset(), { commands: [] }, "MISSING_FIELD"],
  ["a command by key", byKey, {}, "INVALID_ARGUMENT"],
  ["an unknown package", ofNoPackage, {}, "JSON_API_PACKAGE_SELECTION_FAILED"],
  ["a creation that others sign", asset({ owner: bob }), {}, "DAML_AUTHORIZATION_ERROR"],
  ["an unknown contract", exercise("00ab", "Use"), {}, "CONTRACT_NOT_FOUND"],
  ["an empty contract id", exercise("", "Use"), {}, "MISSING_FIELD"],
  ["a text that is not a contract id", exercise("null", "Use"), {}, "INVALID_FIELD"],
  ["an invalid disclosed blob", asset(), { disclosedContracts: [{ createdEventBlob: "AAAA" }] }, "INVALID_ARGUMENT"],
  ["a disclosed contract without a blob", asset(), { disclosedContracts: [{ createdEventBlob: "" }] }, "MISSING_FIELD"],
  ["a synchronizer that is not connected", asset(), disconnected, "INVALID_PRESCRIBED_SYNCHRONIZER_ID"],
])("refuses to prepare %s and changes nothing", (_what, command, more, code) => {
  const requested = stub();
  const before = hashOfWorld(requested.world);
  expect(prepare(requested, command, more).json.code).toBe(code);
  expect(hashOfWorld(requested.world)).toBe(before);
});

test("a direct transfer through the pre-approval completes at once and returns the change to the sender", () => {
  const requested = stub();
  expect(lookUp(requested).transferKind).toBe("direct");
  const { transaction } = execute(requested, prepareTransfer(requested), {
    path: "executeAndWaitForTransaction",
    more: {
      transactionFormat: {
        eventFormat: { filtersByParty: { [alice]: {}, [bob]: {} } },
        transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
      },
    },
  }).json;
  const [root] = transaction.events;
  expect(root.ExercisedEvent).toMatchObject({
    choice: "TransferFactory_Transfer",
    consuming: false,
    nodeId: 0,
    lastDescendantNodeId: transaction.events.at(-1).CreatedEvent.nodeId,
    exerciseResult: { output: { tag: "TransferInstructionResult_Completed" } },
  });
  const result = root.ExercisedEvent.exerciseResult;
  const created = transaction.events.flatMap(
    ({ CreatedEvent }: { CreatedEvent?: { contractId: string } }) => CreatedEvent?.contractId ?? [],
  );
  expect([...result.senderChangeCids, ...result.output.value.receiverHoldingCids].sort()).toEqual(created.sort());
  expect(created.every((id: string) => id.length === 138)).toBe(true);
});

const context = (key: string, value: string) => ({ [key]: { tag: "AV_ContractId", value } });

type Change = Parameters<typeof prepareTransfer>[1];
const unhandled = "UNHANDLED_EXCEPTION";
const later = { requestedAt: "2026-01-02T00:00:00Z" };
const over = { executeBefore: "2025-12-31T00:00:00Z" };
const unknownRound = context("open-round", "00ab");
/** The change that spends these holdings. */
const spending = (...inputs: readonly string[]) => ({ inputs });
const firstOf = (requested: Stub, owner: string) => holdingsOfParty(requested, owner)[0].contractId;

test.each<[what: string, change: Change | ((requested: Stub) => Change), code: string, cause: RegExp]>([
  ["an amount above its inputs", { transfer: { amount: "11" } }, unhandled, /does not cover/],
  ["an amount of 0", { transfer: { amount: "0" } }, unhandled, /positive/],
  ["a request time in the future", { transfer: later }, unhandled, /requestedAt/],
  ["an end in the past", { transfer: over }, unhandled, /executeBefore/],
  ["another instrument", { transfer: { instrumentId: { admin: dso, id: "X" } } }, unhandled, /instrument/],
  ["no input", spending(), unhandled, /input holding/],
  ["an input twice", (stub) => spending(firstOf(stub, alice), firstOf(stub, alice)), unhandled, /twice/],
  ["an input of another owner", (stub) => spending(firstOf(stub, bob)), "CONTRACT_NOT_FOUND", /not be found/],
  ["no context", { values: {} }, unhandled, /Missing context entry for: open-round/],
  ["a context with an unknown contract", { values: unknownRound }, "CONTRACT_NOT_FOUND", /not be found/],
  [
    "an input that is not a contract id",
    spending("x"),
    "INVALID_ARGUMENT",
    /inputHoldingCids\/0 is not a contract id in hex/,
  ],
  [
    "an unused context value that is not a contract id",
    { values: { ...unknownRound, ...context("other", "zz") } },
    "INVALID_ARGUMENT",
    /other\/value is not a contract id in hex/,
  ],
])("a transfer with %s fails on the ledger, though the registry accepts its lookup", (_what, change, code, cause) => {
  const requested = stub();
  const { json } = prepareTransfer(requested, typeof change === "function" ? change(requested) : change);
  expect(json).toMatchObject({ code, cause: expect.stringMatching(cause) });
});

test.each<[what: string, makeStale: (requested: Stub) => void, code: string]>([
  ["the round has moved on", ({ world }) => world.advanceBy(11 * 60_000), "CONTRACT_NOT_FOUND"],
  [
    "the pre-approval is gone",
    ({ world }) => world.perform([{ type: "preapproval-archived", receiver: bob }]),
    "CONTRACT_NOT_FOUND",
  ],
  ["the input is spent", (requested) => void execute(requested, prepareTransfer(requested)), "CONTRACT_NOT_FOUND"],
  [
    "the factory is in flight to another synchronizer",
    ({ world }) => world.perform([{ type: "reassignment-begun", contract: "factory", target: "b::1220ab" }]),
    "INVALID_PRESCRIBED_SYNCHRONIZER_ID",
  ],
  [
    "the factory is on another synchronizer",
    ({ world }) =>
      world.perform([
        { type: "reassignment-begun", contract: "factory", target: "b::1220ab" },
        { type: "reassignment-completed", contract: "factory" },
      ]),
    "INVALID_PRESCRIBED_SYNCHRONIZER_ID",
  ],
])("a prepared transfer fails once %s, and changes nothing", (_what, makeStale, code) => {
  const requested = stub();
  const prepared = prepareTransfer(requested);
  expect(prepared.status).toBe(200);
  makeStale(requested);
  const before = hashOfWorld(requested.world);
  expect(execute(requested, prepared).json.code).toBe(code);
  expect(hashOfWorld(requested.world)).toBe(before);
});

test("an offer locks tokens; its choice contexts exist while it is pending, and accept, reject or withdraw moves the tokens once", () => {
  const requested = stub();
  requested.world.perform([{ type: "preapproval-archived", receiver: bob }]);
  expect(lookUp(requested).transferKind).toBe("offer");
  const { transaction } = execute(requested, prepareTransfer(requested), { path: "executeAndWaitForTransaction" }).json;
  const created: { contractId: string; templateId: string }[] = transaction.events.flatMap(
    (event: { CreatedEvent?: object }) => event.CreatedEvent ?? [],
  );
  const id = created.find(({ templateId }) => templateId.endsWith("AmuletTransferInstruction"))?.contractId ?? "";
  const contextOf = (choice: string, version = "v2") =>
    requested.post(`/registry/transfer-instruction/${version}/${id}/choice-contexts/${choice}`, {});
  for (const choice of ["accept", "reject", "withdraw"])
    for (const version of ["v1", "v2"])
      expect(contextOf(choice, version).json).toMatchObject({
        choiceContextData: {
          values: { "open-round": { tag: "AV_ContractId" }, "expire-lock": { tag: "AV_Bool", value: true } },
        },
        disclosedContracts: [{}, { templateId: expect.stringContaining("LockedAmulet") }],
      });
  const accepted = contextOf("accept").json;
  const end = (choice: string, party: string, values: object) =>
    prepare(
      requested,
      {
        ExerciseCommand: {
          templateId:
            "#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferInstruction",
          contractId: id,
          choice: `TransferInstruction_${choice}`,
          choiceArgument: { extraArgs: { context: { values }, meta: { values: {} } } },
        },
      },
      { actAs: [party], disclosedContracts: accepted.disclosedContracts },
    );
  expect(end("Accept", alice, accepted.choiceContextData.values).json.cause).toMatch(/requires authorizers/);
  expect(end("Accept", bob, {}).json.cause).toMatch(/Missing context entry/);
  const rejected = end("Reject", bob, {});
  expect(execute(requested, rejected, { party: bob }).status).toBe(200);
  expect(contextOf("accept")).toEqual({ status: 404, json: { error: `AmuletTransferInstruction '${id}' not found.` } });
  expect(end("Withdraw", alice, {}).json.code).toBe("CONTRACT_NOT_FOUND");
});

test("an update is read by id, filtered for the requesting parties", () => {
  const requested = stub();
  const { updateId } = execute(requested, prepare(requested, asset())).json;
  const read = (party: string, transactionShape = "TRANSACTION_SHAPE_ACS_DELTA") =>
    requested.post("/v2/updates/update-by-id", {
      updateId,
      updateFormat: { includeTransactions: { eventFormat: { filtersByParty: { [party]: {} } }, transactionShape } },
    }).json;
  expect(read(bob).update.Transaction.value).toMatchObject({
    updateId,
    offset: 1,
    events: [{ CreatedEvent: { witnessParties: [bob] } }],
    externalTransactionHash: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
  });
  expect(read("carol::1220ab").code).toBe("UPDATE_NOT_FOUND");
  const old = requested.post("/v2/updates/transaction-by-id", { updateId, requestingParties: [alice] }).json;
  expect(old.transaction).toMatchObject({ updateId, events: [{ CreatedEvent: {} }] });
});

const elliptic = (curve: typeof p256, spec: string) => {
  const key = curve.getPublicKey(
    secret.length === 48 ? secret : new Uint8Array(curve === p384 ? 48 : 32).fill(7),
    false,
  );
  return {
    keys: `, publicKeys: ["${Buffer.from(key).toString("base64")}"], keySpec: ${spec}`,
    signedBy: fingerprintOf(key),
  };
};

test("signatures are verified with the keys of the party: Ed25519, P-256 and P-384, in the formats of each", () => {
  const keys = `, publicKeys: ["${Buffer.from(publicKey).toString("base64")}"]`;
  const check = (keysOf: string, sign: (hash: string) => object) => {
    const requested = stub({ keys: keysOf, isVerifying: true });
    const prepared = prepare(requested, asset());
    return execute(requested, prepared, { signatures: [sign(prepared.json.preparedTransactionHash)] }).json;
  };
  expect(check(keys, signature)).toMatchObject({ completionOffset: 1 });
  expect(check(keys, (hash) => ({ ...signature(hash), format: "SIGNATURE_FORMAT_RAW" }))).toMatchObject({
    completionOffset: 1,
  });
  const wrong = [
    (hash: string) => signed(hash, () => new Uint8Array(64)),
    (hash: string) => signed(hash, (message) => ed25519.sign(message.slice(1), secret)),
    (hash: string) => ({ ...signature(hash), signedBy: "1220ab" }),
    (hash: string) => ({ ...signature(hash), format: "SIGNATURE_FORMAT_DER" }),
    (hash: string) => ({ ...signature(hash), signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256" }),
    (hash: string) => ({ ...signature(hash), signature: "" }),
  ];
  for (const sign of wrong)
    expect(check(keys, sign)).toMatchObject({
      code: "FAILED_TO_EXECUTE_TRANSACTION",
      cause: expect.stringMatching(/0 valid signatures from distinct keys \(1 invalid\)/),
      correlationId: "s",
    });
  for (const [curve, spec, algorithm, length] of [
    [p256, "p256", "256", 32],
    [p384, "p384", "384", 48],
  ] as const) {
    const { keys: own, signedBy } = elliptic(curve, spec);
    for (const [format, written] of [
      ["CONCAT", "compact"],
      ["DER", "der"],
    ] as const) {
      const sign = (hash: string) =>
        signed(hash, (message) => curve.sign(message, new Uint8Array(length).fill(7), { format: written }), {
          format: `SIGNATURE_FORMAT_${format}`,
          signedBy,
          signingAlgorithmSpec: `SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_${algorithm}`,
        });
      expect(check(own, sign)).toMatchObject({ completionOffset: 1 });
      expect(check(own, (hash) => ({ ...sign(hash), signature: signature(hash).signature })).code).toBe(
        "FAILED_TO_EXECUTE_TRANSACTION",
      );
    }
  }
});

test("prepares only what uses vetted packages, at the time of the request, on the first synchronizer that has them", () => {
  const requested = stub();
  const [old, newest] = ["a", "b"].map((digit) => digit.repeat(64));
  const vet = (id: string | undefined, synchronizerId: string, more: object = {}) =>
    requested.post("/v2/package-vetting/update", {
      changes: [{ operation: { Vet: { value: { packages: [{ packageId: id }], ...more } } } }],
      synchronizerId,
      updateVettedPackagesForceFlags: ["UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES"],
    });
  expect(prepare(requested, asset()).status).toBe(200);
  expect(vet(old, "a::1220ab").status).toBe(200);
  expect(prepare(requested, asset(), { synchronizerId: "a::1220ab" }).json).toMatchObject({
    code: "PACKAGE_SELECTION_FAILED",
    errorCategory: 9,
    cause: expect.stringMatching(/^No synchronizers satisfy the topology requirements/),
  });
  const { json } = prepare(requested, asset());
  const synchronizerId = decodePreparedTransaction(json.preparedTransaction)?.metadata?.synchronizerId;
  expect(synchronizerId).toMatch(/^b::1220ab/);
  vet(newest, "a::1220ab", { newValidFromInclusive: "2026-01-01T00:01:00Z" });
  expect(prepare(requested, asset(), { synchronizerId: "a::1220ab" }).json.code).toBe("PACKAGE_SELECTION_FAILED");
  requested.world.advanceBy(60_000);
  expect(prepare(requested, asset(), { synchronizerId: "a::1220ab" }).status).toBe(200);
});

test("all timestamps of a transaction have one format", () => {
  const requested = stub();
  requested.world.advanceBy(1500);
  const executed = () =>
    execute(requested, prepare(requested, asset()), { path: "executeAndWaitForTransaction" }).json.transaction;
  const timesOf = ({ effectiveAt, recordTime, events }: ReturnType<typeof executed>) => [
    effectiveAt,
    recordTime,
    events[0].CreatedEvent.createdAt,
  ];
  expect(timesOf(executed())).toEqual(Array(3).fill("2026-01-01T00:00:01.500Z"));
  requested.world.advanceBy(500);
  expect(timesOf(executed())).toEqual(Array(3).fill("2026-01-01T00:00:02Z"));
});

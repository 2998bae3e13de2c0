import { expect, test } from "vitest";
import type { DamlValue } from "../../src/foundation/protobuf/daml-value.ts";
import {
  type DamlTransaction,
  decodePreparedTransaction,
  type ExerciseNode,
  encodePreparedTransaction,
  type InputContract,
  type PreparedMetadata,
  type PreparedTransaction,
  type TransactionNode,
} from "../../src/foundation/protobuf/prepared-transaction.ts";
import {
  alice,
  asset,
  bob,
  execute,
  holdingsOfParty,
  type Post,
  prepare,
  prepareTransfer,
  publicKey,
  stub,
} from "./_prepared.ts";
import { hashOfWorld } from "./_stub.ts";

// Prepared transactions that differ from the node's interpretation of the commands. A node interprets the commands again and finds the difference.

/** The prepared transaction with a change made after hashing. */
function forged(prepared: Post, change: (original: PreparedTransaction) => PreparedTransaction): Post {
  const original = decodePreparedTransaction(prepared.json.preparedTransaction);
  if (original === undefined) throw new Error("the stub prepares what it can read");
  const preparedTransaction = encodePreparedTransaction(change(original));
  return { ...prepared, json: { ...prepared.json, preparedTransaction } };
}

function withTransaction(change: (transaction: DamlTransaction) => Partial<DamlTransaction>) {
  return (original: PreparedTransaction): PreparedTransaction => {
    const { transaction } = original;
    if (transaction === undefined) throw new Error("there is a transaction");
    return { ...original, transaction: { ...transaction, ...change(transaction) } };
  };
}

function withNodes(change: (node: TransactionNode, id: string) => TransactionNode) {
  return withTransaction(({ nodes }) => ({ nodes: new Map([...nodes].map(([id, node]) => [id, change(node, id)])) }));
}

const onRoot = (change: (node: ExerciseNode) => Partial<ExerciseNode>) =>
  withNodes((node, id) => (id === "0" && node.type === "exercise" ? { ...node, ...change(node) } : node));

const everyAmount = (value: DamlValue): DamlValue =>
  value.type === "numeric"
    ? { ...value, value: "9.0000000000" }
    : value.type === "record"
      ? { ...value, fields: value.fields.map(([label, inner]) => [label, everyAmount(inner)]) }
      : value;

const archiveOf = (contractId: string) => ({
  ExerciseCommand: {
    templateId: "#splice-amulet:Splice.Amulet:Amulet",
    contractId,
    choice: "Archive",
    choiceArgument: {},
  },
});

test.each<[what: string, change: (original: PreparedTransaction) => PreparedTransaction, cause: RegExp]>([
  [
    "creates more than its inputs",
    withNodes((node) => (node.type === "create" ? { ...node, argument: everyAmount(node.argument) } : node)),
    /is not what its commands come to/,
  ],
  [
    "transfers to another receiver",
    withNodes((node) => (node.type === "create" ? { ...node, stakeholders: [alice] } : node)),
    /is not what/,
  ],
  [
    "has no inner node",
    (original) =>
      onRoot(() => ({ children: [] }))(
        withTransaction(({ nodes }) => ({ nodes: new Map([...nodes].slice(0, 1)) }))(original),
      ),
    /is not what/,
  ],
  ["consumes the factory", onRoot(() => ({ isConsuming: true })), /is not what/],
  ["has another result", onRoot(() => ({ result: { type: "unit" } })), /is not what/],
  ["contains a node twice", onRoot(({ children }) => ({ children: [...children, ...children] })), /reached twice/],
  ["contains itself", onRoot(({ children }) => ({ children: [...children, "0"] })), /reached twice/],
  [
    "names a node that does not exist",
    onRoot(({ children }) => ({ children: [...children, "99"] })),
    /node 99 does not exist/,
  ],
  ["has a node without a path from a root", onRoot(() => ({ children: [] })), /cannot be reached from a root/],
  [
    "has an invalid node id",
    withTransaction(({ nodes }) => ({ nodes: new Map([...nodes, ["01", [...nodes.values()][0] as never]]) })),
    /is not a node id/,
  ],
  ["has an invalid contract id", onRoot(() => ({ contractId: "00ab" })), /invalid contract id/],
])("a prepared transfer that %s is not executed", (_what, change, cause) => {
  const requested = stub();
  const prepared = forged(prepareTransfer(requested), change);
  const before = hashOfWorld(requested.world);
  expect(execute(requested, prepared).json).toMatchObject({
    code: "FAILED_TO_EXECUTE_TRANSACTION",
    cause: expect.stringMatching(cause),
  });
  expect(hashOfWorld(requested.world)).toBe(before);
});

test("does not archive a contract that the submitter cannot see and names as an input without its blob", () => {
  const requested = stub();
  const own = prepare(requested, archiveOf(holdingsOfParty(requested, alice)[0].contractId));
  const { contractId } = holdingsOfParty(requested, bob)[0];
  const theirs = forged(own, (original) => {
    const { metadata } = onRoot(() => ({ contractId }))(original);
    if (metadata === undefined) throw new Error("there is metadata");
    const inputContracts = metadata.inputContracts.map((input) => ({
      ...input,
      contract: { ...input.contract, contractId },
    }));
    return { ...onRoot(() => ({ contractId }))(original), metadata: { ...metadata, inputContracts } };
  });
  const before = hashOfWorld(requested.world);
  expect(execute(requested, theirs).json.cause).toContain("Mismatching contractIds between enriched");
  expect(hashOfWorld(requested.world)).toBe(before);
});

test("refuses an unknown choice; a creation of an unknown package has no effect", () => {
  const requested = stub();
  const contracts = () => requested.world.state.ledger.contracts.size;
  const prepared = prepare(requested, asset());
  const before = contracts();
  const foreign = withNodes((node) =>
    node.type === "create" ? { ...node, templateId: `${"c".repeat(64)}:Main:Asset` } : node,
  );
  expect(execute(requested, forged(prepared, foreign)).json).toMatchObject({ completionOffset: 1 });
  expect(contracts()).toBe(before);
  const { contractId } = holdingsOfParty(requested, alice)[0];
  const unknown = forged(
    prepare(requested, archiveOf(contractId)),
    onRoot(() => ({ choice: "Burn" })),
  );
  expect(execute(requested, unknown).json).toMatchObject({
    code: "FAILED_TO_EXECUTE_TRANSACTION",
    cause: expect.stringMatching(/Burn/),
  });
  expect(contracts()).toBe(before);
});

const amulet = (owner: string) => ({
  CreateCommand: {
    templateId: "#splice-amulet:Splice.Amulet:Amulet",
    createArguments: { dso: "dso::1220ab", owner, amount: { initialAmount: "1000000" } },
  },
});

test("only the registry of a token creates it", () => {
  const requested = stub();
  expect(prepare(requested, amulet(alice)).json).toMatchObject({
    code: "DAML_AUTHORIZATION_ERROR",
    cause: expect.stringMatching(/requires authorizers alice::1220ab,dso::1220ab, but only alice::1220ab were given/),
  });
  expect(prepare(requested, amulet(bob), { actAs: ["dso::1220ab"] }).status).toBe(404);
});

test("executes a transaction until its maximum record time", () => {
  const requested = stub();
  const prepared = prepare(requested, asset(), { maxRecordTime: "2026-01-01T00:01:00Z" });
  requested.world.advanceBy(60_001);
  expect(execute(requested, prepared).json).toMatchObject({
    code: "FAILED_TO_EXECUTE_TRANSACTION",
    cause: expect.stringMatching(/maximum record time/),
  });
});

test("refuses a time before the epoch as maximum record time", () => {
  const { json } = prepare(stub(), asset(), { maxRecordTime: "1969-12-31T23:59:59Z" });
  expect([json.code, json.cause]).toEqual(["INVALID_FIELD", expect.stringContaining("max_record_time")]);
});

const nested = (depth: number): unknown => (depth === 0 ? 1 : { inner: nested(depth - 1) });

test.each<[what: string, argument: object]>([
  ["an integer of more than 64 bits", { count: 2 ** 63 }],
  ["a value of two hundred levels", { nested: nested(200) }],
])("refuses an argument with %s", (_what, argument) => {
  const requested = stub();
  const { status, json } = prepare(requested, asset(argument));
  expect([status, json.code]).toEqual([400, "INVALID_ARGUMENT"]);
});

test("a prepared transaction with a time outside the years of the ledger is invalid", () => {
  const requested = stub();
  const late = withNodes((node) =>
    node.type === "create" ? { ...node, argument: { type: "timestamp", value: 2n ** 62n } } : node,
  );
  expect(execute(requested, forged(prepare(requested, asset()), late)).json.code).toBe("INVALID_ARGUMENT");
});

test.each<[what: string, forge: (original: PreparedTransaction) => PreparedTransaction]>([
  [
    "a value",
    withNodes((node) => (node.type === "create" ? { ...node, argument: { type: "contract-id", value: "zz" } } : node)),
  ],
  ["a node", onRoot(() => ({ contractId: "00a" }))],
  [
    "an input",
    (original) => ({
      ...original,
      metadata: original.metadata && {
        ...original.metadata,
        inputContracts: original.metadata.inputContracts.map((input) => ({
          ...input,
          contract: { ...input.contract, contractId: "abc" },
        })),
      },
    }),
  ],
])("a prepared transaction is invalid if %s has a contract id that is not hexadecimal", (_what, forge) => {
  const requested = stub();
  expect(execute(requested, forged(prepareTransfer(requested), forge)).json.code).toBe("INVALID_ARGUMENT");
});

test("a user who executes for a party without the right to read gets no transaction", () => {
  const requested = stub({ auth: "user" });
  const format = (party: string) => ({
    transactionFormat: {
      eventFormat: { filtersByParty: { [party]: {} } },
      transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
    },
  });
  const executed = (party: string) => {
    const options = { path: "executeAndWaitForTransaction", more: format(party), token: "alice" };
    return execute(requested, prepare(requested, asset(), {}, "alice"), options);
  };
  expect(executed(bob).status).toBe(403);
  expect(executed(alice).json.transaction.events).toHaveLength(1);
});

test.each<[what: string, more: object, status: number, code: string]>([
  ["a party that is not allocated", { actAs: ["carol::1220ab"] }, 404, "UNKNOWN_SUBMITTERS"],
  ["a user other than that of the token", { userId: "bob" }, 403, "NA"],
])("refuses to prepare for %s", (_what, more, status, code) => {
  const isUser = code === "NA";
  const requested = stub(isUser ? { auth: "user" } : {});
  const response = prepare(requested, asset(), more, isUser ? "alice" : undefined);
  expect([response.status, response.json.code]).toEqual([status, code]);
});

const withInputs =
  (change: (inputs: PreparedMetadata["inputContracts"]) => PreparedMetadata["inputContracts"]) =>
  (original: PreparedTransaction): PreparedTransaction => {
    const { metadata } = original;
    if (metadata === undefined) throw new Error("there is metadata");
    return { ...original, metadata: { ...metadata, inputContracts: change(metadata.inputContracts) } };
  };

const keys = `, publicKeys: ["${Buffer.from(publicKey).toString("base64")}"]`;
const unmatched =
  "Provided input contracts do not match the input contracts in the transaction: Missing input contracts: ";

test.each([true, false])(
  "inputs that were removed are missing before any signature is checked (signatures verified: %s)",
  (isVerifying) => {
    const requested = stub({ isVerifying, keys });
    const prepared = prepareTransfer(requested);
    const ids = decodePreparedTransaction(prepared.json.preparedTransaction)?.metadata?.inputContracts.map(
      ({ contract }) => contract.contractId,
    );
    expect(ids).toHaveLength(4);
    for (const [index, id] of (ids ?? []).entries()) {
      const without = forged(
        prepared,
        withInputs((inputs) => inputs.filter((_, place) => place !== index)),
      );
      expect(execute(requested, without, { signatures: [] }).json).toMatchObject({
        code: "FAILED_TO_EXECUTE_TRANSACTION",
        cause: `The participant failed to execute the transaction: ${unmatched}ContractId(${id})`,
      });
    }
    expect(execute(requested, prepared, { signatures: [] }).json.cause).toBe(
      `The participant failed to execute the transaction: The following actAs parties did not provide an external signature: ${alice}`,
    );
    expect(execute(requested, prepared).status).toBe(200);
  },
);

test.each<[what: string, change: (input: InputContract, other: InputContract) => InputContract, problem: string]>([
  [
    "a later creation time",
    (input) => ({ ...input, createdAtMicros: input.createdAtMicros + 1n }),
    "Creation time of the original contract does not match the create time of the input contract",
  ],
  [
    "the blob of another contract",
    (input, { eventBlob, createdAtMicros }) => ({ ...input, eventBlob, createdAtMicros }),
    "Mismatching contractIds between enriched",
  ],
  ["no blob", (input) => ({ ...input, eventBlob: new Uint8Array() }), "cannot be decoded"],
  [
    "another argument",
    (input) => ({ ...input, contract: { ...input.contract, argument: everyAmount(input.contract.argument) } }),
    "differs from the contract with this id",
  ],
])("an input with %s is refused", (_what, change, problem) => {
  const requested = stub();
  const altered = withInputs((inputs) => {
    const at = inputs.findIndex(({ contract }) => contract.templateId.endsWith(":Amulet"));
    const other = inputs[at === 0 ? 1 : 0];
    if (other === undefined) throw new Error("there are two inputs");
    return inputs.map((input, place) => (place === at ? change(input, other) : input));
  });
  const before = hashOfWorld(requested.world);
  const { json } = execute(requested, forged(prepareTransfer(requested), altered));
  expect([json.code, json.cause]).toEqual(["FAILED_TO_EXECUTE_TRANSACTION", expect.stringContaining(problem)]);
  expect(hashOfWorld(requested.world)).toBe(before);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import type { DamlValue } from "./daml-value.ts";
import { FieldBudget } from "./field-budget.ts";
import { isSameMessage } from "./is-same-message.ts";
import {
  type CreateNode,
  decodePreparedTransaction,
  encodedPreparedTransaction,
  type PreparedTransaction,
} from "./prepared-transaction.ts";

const contract: Omit<CreateNode, "argument"> = {
  type: "create",
  lfVersion: "2.1",
  contractId: "00ab",
  packageName: "p",
  templateId: "a:M.N:T",
  signatories: ["alice"],
  stakeholders: ["alice", "bob"],
};

function preparedOf(argument: DamlValue, changed: Partial<CreateNode> = {}, nodeId = "0"): PreparedTransaction {
  const create: CreateNode = { ...contract, argument, ...changed };
  return {
    transaction: {
      version: "2.1",
      roots: [nodeId],
      nodes: new Map([[nodeId, create]]),
      seeds: new Map([[nodeId, new Uint8Array(32).fill(1)]]),
    },
    metadata: {
      actAs: ["alice"],
      commandId: "c",
      synchronizerId: "s::1220ab",
      mediatorGroup: 0,
      transactionUuid: "u",
      preparationTimeMicros: 1n,
      minLedgerTimeMicros: undefined,
      maxLedgerTimeMicros: 0n,
      maxRecordTimeMicros: undefined,
      inputContracts: [{ contract: create, createdAtMicros: 5n, eventBlob: new Uint8Array([1]) }],
    },
  };
}

/** Whether a reader gives the same transaction. */
function isReadBack(prepared: PreparedTransaction, budget?: FieldBudget): boolean {
  const read = decodePreparedTransaction(encodedPreparedTransaction(prepared).base64, budget);
  return read !== undefined && isSameMessage(prepared, read);
}

const nested = (levels: number): DamlValue =>
  levels === 1 ? { type: "unit" } : { type: "optional", value: nested(levels - 1) };

test("a transaction is exact when a reader gives the same one, and its fields are those that the reader counts", () => {
  const text = fc.string({ unit: "binary", maxLength: 120 });
  const { value } = fc.letrec<{ value: DamlValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constant<DamlValue>({ type: "unit" }),
      text.map((inner): DamlValue => ({ type: "text", value: inner })),
      fc.stringMatching(/^[0-9a-fG]{0,4}$/).map((inner): DamlValue => ({ type: "contract-id", value: inner })),
      fc
        .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
        .map((inner): DamlValue => ({ type: "int64", value: inner })),
      fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map((inner): DamlValue => ({ type: "date", value: inner })),
      fc.tuple(text, tie("value")).map(([label, inner]): DamlValue => ({ type: "record", fields: [[label, inner]] })),
      fc.option(tie("value"), { nil: undefined }).map((inner): DamlValue => ({ type: "optional", value: inner })),
      fc.array(tie("value"), { maxLength: 3 }).map((elements): DamlValue => ({ type: "list", elements })),
      fc.tuple(tie("value"), tie("value")).map((entry): DamlValue => ({ type: "gen-map", entries: [entry] })),
      fc
        .string({ unit: fc.constantFrom("a", ":", "."), maxLength: 6 })
        .map((id): DamlValue => ({ type: "enum", id, constructorName: "" })),
    ),
  }));
  fc.assert(
    fc.property(value, (argument) => {
      const prepared = preparedOf(argument);
      const { isExact, fields } = encodedPreparedTransaction(prepared);
      expect(isReadBack(prepared)).toBe(isExact);
      expect(isReadBack(prepared, new FieldBudget(fields))).toBe(isExact);
      expect(isReadBack(prepared, new FieldBudget(fields - 1))).toBe(false);
    }),
  );
});

test.each<[what: string, prepared: PreparedTransaction, isExact: boolean]>([
  ["a text of any characters", preparedOf({ type: "text", value: "é\u{1f600}" }), true],
  ["99 levels in a node", preparedOf(nested(99)), true],
  ["100 levels in a node", preparedOf(nested(100)), false],
  ["half of a character", preparedOf({ type: "text", value: "\ud800" }), false],
  ["half of a character in a long text", preparedOf({ type: "text", value: `${"x".repeat(200)}\udc00` }), false],
  ["a contract id that is not hex", preparedOf({ type: "contract-id", value: "00AB" }), false],
  ["a time after the year 9999", preparedOf({ type: "timestamp", value: 253_402_300_800_000_000n }), false],
  ["a template id of four parts", preparedOf({ type: "unit" }, { templateId: "a:M:T:U" }), false],
  ["a template id of two parts", preparedOf({ type: "unit" }, { templateId: "a:M" }), false],
  ["a node id with a zero before it", preparedOf({ type: "unit" }, {}, "00"), false],
])("the writer tells whether %s is read back", (_what, prepared, isExact) => {
  expect(encodedPreparedTransaction(prepared).isExact).toBe(isExact);
  expect(isReadBack(prepared)).toBe(isExact);
});

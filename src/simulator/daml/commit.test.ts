import { expect, test } from "vitest";
import { decodeCreatedEventBlob } from "../../foundation/protobuf/created-event-blob.ts";
import type { DamlValue } from "../../foundation/protobuf/daml-value.ts";
import type { CreateNode, TransactionNode } from "../../foundation/protobuf/prepared-transaction.ts";
import { committed, finalContractId, ledgerContract } from "./commit.ts";

const contract = {
  lfVersion: "2.1",
  contractId: "00".repeat(33),
  packageName: "app",
  templateId: `${"a".repeat(64)}:Main:Asset`,
  signatories: ["alice::1220ab"],
  stakeholders: ["alice::1220ab"],
};
const create: CreateNode = { type: "create", ...contract, argument: { type: "unit" } };

test("a contract is fetched in the transaction that creates it", () => {
  const run = (nodes: readonly string[]) =>
    committed(
      {
        version: "2.1",
        roots: nodes,
        nodes: new Map<string, TransactionNode>([
          ["0", create],
          ["1", { type: "fetch", ...contract, interfaceId: undefined, actingParties: contract.signatories }],
        ]),
        seeds: new Map(),
      },
      { updateId: "1220ab", offset: 1n, committedAtMicros: 0n, contract: () => undefined },
    );
  expect(run(["0", "1"])).toMatchObject({ type: "committed", events: [{ type: "created" }] });
  expect(run(["1"])).toMatchObject({ type: "missing" });
});

test("the blob of a contract shows the contract, in a copy too", () => {
  const asset = { ...contract, argument: create.argument, observers: [] };
  const made = ledgerContract(asset, { offset: 1n, nodeId: 0, createdAtMicros: 5n });
  const { contractId, packageName, templateId, signatories } = contract;
  const shown = { contractId, packageName, templateId, signatories, createdAtMicros: 5n };
  expect(decodeCreatedEventBlob(made.createdEventBlob)).toMatchObject(shown);
  expect({ ...made }).toEqual({ ...made, createdEventBlob: made.createdEventBlob });
  expect(Object.keys(made)).toEqual(Object.keys({ ...made }));
  const unread = ledgerContract(asset, { offset: 1n, nodeId: 0, createdAtMicros: 5n });
  expect({ ...unread }).toEqual(made);
});

test("every contract id of a created contract is replaced in values, and values without one are shared", () => {
  const other: DamlValue = { type: "contract-id", value: "01".repeat(33) };
  const valuesWith = (id: DamlValue): DamlValue[] => [
    id,
    { type: "optional", value: id },
    { type: "list", elements: [other, id] },
    { type: "text-map", entries: [["a", id]] },
    { type: "gen-map", entries: [[id, other]] },
    { type: "gen-map", entries: [[other, id]] },
    { type: "record", fields: [["a", id]] },
    { type: "variant", constructorName: "A", value: { type: "list", elements: [id] } },
  ];
  const argumentsOf = (values: readonly DamlValue[]) => {
    const nodes = values.map((argument, index): [string, TransactionNode] => [
      String(index + 1),
      { ...create, contractId: String(index), argument },
    ]);
    const transaction = { version: "2.1", roots: nodes.map(([id]) => id), seeds: new Map() };
    const run = committed(
      { ...transaction, nodes: new Map([["0", create], ...nodes]) },
      { updateId: "1220ab", offset: 1n, committedAtMicros: 0n, contract: () => undefined },
    );
    return run.type === "committed" ? run.events.map((event) => event.contract.argument) : [];
  };
  const final: DamlValue = { type: "contract-id", value: finalContractId(contract.contractId, "1220ab") };
  expect(argumentsOf(valuesWith({ type: "contract-id", value: contract.contractId }))).toEqual(valuesWith(final));
  const unchanged = [...valuesWith(other), { type: "optional", value: undefined } as const];
  expect(argumentsOf(unchanged).every((value, index) => value === unchanged[index])).toBe(true);
});

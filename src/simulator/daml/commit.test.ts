import { expect, test } from "vitest";
import { decodeCreatedEventBlob } from "../../foundation/protobuf/created-event-blob.ts";
import type { CreateNode, TransactionNode } from "../../foundation/protobuf/prepared-transaction.ts";
import { committed, ledgerContract } from "./commit.ts";

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
});

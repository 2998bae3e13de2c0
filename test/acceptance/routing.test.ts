import { expect, test } from "vitest";
import { alice, asset, execute, lookUp, type Post, prepareTransfer, type Stub, stub } from "./_prepared.ts";

const [a, b] = ["a::1220ab", "b::1220ab"];
const reassignment = "(docs/reassignment-window.md)";

/** Moves contracts of the registry to synchronizer b. */
function reassign({ world }: Stub, ...contracts: readonly string[]): void {
  for (const contract of contracts)
    world.perform([
      { type: "reassignment-begun", contract, target: b },
      { type: "reassignment-completed", contract },
    ]);
}

/** Prepares a transfer. The reason is the header Understudy-Reason; `named` is what the disclosed contracts have as synchronizer. */
function prepared(
  requested: Stub,
  { body = {}, named }: { readonly body?: object; readonly named?: string } = {},
): Post & { readonly reason: string | undefined } {
  let reason: string | undefined;
  const post: Stub["post"] = (path, sent: { readonly disclosedContracts?: readonly object[] }) => {
    if (!path.startsWith("/v2/interactive-submission/")) return requested.post(path, sent);
    const disclosedContracts = sent.disclosedContracts?.map((each) =>
      named === undefined ? each : { ...each, synchronizerId: named },
    );
    const changed = { ...sent, disclosedContracts };
    reason = requested.reasonOf(path, { body: changed });
    return requested.post(path, changed);
  };
  return { ...prepareTransfer({ ...requested, post }, { body }), reason };
}

test("after the reassignment of one of several contracts, prepare says where each contract is and what to do", () => {
  const requested = stub();
  reassign(requested, "round-1");
  const explanation = `Reassign the input contracts to one synchronizer, then prepare again ${reassignment}. They are assigned as follows: factory, preapproval on ${a}; round-1 on ${b}.`;
  const disclosed = prepared(requested);
  expect(disclosed.json).toMatchObject({
    code: "DISCLOSED_CONTRACTS_SYNCHRONIZER_ID_MISMATCH",
    errorCategory: 8,
    cause: expect.stringMatching(
      /^Some disclosed contracts that were used during command interpretation have mismatching synchronizer ids: Map\(00\w+ -> [ab]::1220ab, /,
    ),
  });
  expect(disclosed.reason).toContain(` -> ${a}) ${explanation}`);
  const { status, json, reason } = prepared(requested, { named: "" });
  expect([status, json.code, json.cause]).toEqual([
    400,
    "AUTOMATIC_REASSIGNMENT_FOR_TRANSACTION_FAILED",
    "Automatically reassigning contracts to a common synchronizer failed.",
  ]);
  expect(json.context.reason).toBe(`None of the following Set(${a}, ${b}) is suitable for automatic reassignment.`);
  expect(reason).toBe(`${json.code}: ${json.cause} ${explanation}`);
});

test.each([a, b])(
  "for the synchronizer %s it names the contracts that no submitter can reassign to it",
  (synchronizerId) => {
    const requested = stub();
    reassign(requested, "round-1");
    const { json, reason } = prepared(requested, { body: { synchronizerId }, named: "" });
    expect(json).toMatchObject({
      code: "SUBMITTER_ALWAYS_STAKEHOLDER",
      errorCategory: 9,
      cause: "The given contracts cannot be reassigned as no submitter is a stakeholder.",
    });
    expect(reason).toContain(`Reassign the input contracts to ${synchronizerId}, then prepare again ${reassignment}`);
    expect(reason).toContain(`factory, preapproval on ${a}; round-1 on ${b}`);
  },
);

test("contracts that are disclosed for another synchronizer than the request names are refused if they are used", () => {
  const requested = stub();
  expect(prepared(requested, { body: { synchronizerId: b } }).json).toMatchObject({
    code: "PRESCRIBED_SYNCHRONIZER_ID_MISMATCH",
    errorCategory: 8,
    cause: expect.stringMatching(
      new RegExp(
        `^The target synchronizer=${b} specified in the command submission mismatches the synchronizer id=${a} of some attached disclosed contracts that have been used in the submission \\(used-disclosed-contract-ids=Set\\(00`,
      ),
    ),
  });
  const { disclosedContracts } = lookUp(requested).choiceContext;
  const commands = { commands: [asset()], commandId: "c", actAs: [alice], disclosedContracts, synchronizerId: b };
  expect(requested.post("/v2/commands/submit-and-wait", { ...commands, userId: "u" }).status).toBe(200);
});

test("once all contracts are on one synchronizer, the transfer is prepared there", () => {
  const requested = stub();
  reassign(requested, "round-1");
  expect(prepareTransfer(requested).status).toBe(400);
  reassign(requested, "factory", "preapproval");
  expect(prepareTransfer(requested).status).toBe(200);
});

test("an execution on another synchronizer than its contracts names them and their synchronizers", () => {
  const requested = stub();
  const prepared = prepareTransfer(requested);
  reassign(requested, "factory");
  const { json } = execute(requested, prepared);
  expect(json.code).toBe("INVALID_PRESCRIBED_SYNCHRONIZER_ID");
  expect(json.cause).toContain(`preapproval, round-1 on ${a}`);
  expect(json.cause).toContain(`factory on ${b}`);
});

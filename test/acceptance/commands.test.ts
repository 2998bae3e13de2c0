import { expect, test } from "vitest";
import { alice, asset, bob, dso, holdingsOfParty, lookUp, type Post, publicKey, type Stub, stub } from "./_prepared.ts";
import { hashOfWorld } from "./_stub.ts";

const commands = (more: object = {}) => ({ commands: [asset()], commandId: "c1", actAs: [alice], ...more });
const submit = ({ post }: Stub, more: object = {}, token?: string) =>
  post("/v2/commands/submit-and-wait", commands(more), token);
const submitForTransaction = ({ post }: Stub, more: object = {}, transactionFormat?: object) =>
  post("/v2/commands/submit-and-wait-for-transaction", { commands: commands(more), transactionFormat });
const use = (contractId: string, choice = "Use", templateId = "#app:Main:Asset") => ({
  ExerciseCommand: { templateId, contractId, choice, choiceArgument: null },
});
const createdId = (requested: Stub, commandId: string) =>
  submitForTransaction(requested, { commandId }).json.transaction.events[0].CreatedEvent.contractId;

function transfer(requested: Stub): Post {
  const lookup = lookUp(requested);
  const inputs = [holdingsOfParty(requested, alice)[0].contractId];
  return submitForTransaction(requested, {
    commands: [
      {
        ExerciseCommand: {
          templateId:
            "#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferFactory",
          contractId: lookup.factoryId,
          choice: "TransferFactory_Transfer",
          choiceArgument: {
            expectedAdmin: dso,
            transfer: {
              sender: alice,
              receiver: bob,
              amount: "4",
              instrumentId: { admin: dso, id: "Amulet" },
              requestedAt: "2025-12-31T00:00:00Z",
              executeBefore: "2026-02-01T00:00:00Z",
              inputHoldingCids: inputs,
              meta: { values: {} },
            },
            extraArgs: { context: { values: lookup.choiceContext.choiceContextData.values }, meta: { values: {} } },
          },
        },
      },
    ],
    disclosedContracts: lookup.choiceContext.disclosedContracts,
  });
}

function expectRefused(requested: Stub, response: () => Post, expected: object) {
  const before = hashOfWorld(requested.world);
  const { status, json } = response();
  expect({ status, ...json }).toMatchObject(expected);
  expect(hashOfWorld(requested.world)).toBe(before);
}

test("commands become one transaction, in their order", () => {
  const requested = stub();
  const first = submit(requested, { commands: [asset(), asset({ amount: "2.5" })], workflowId: "w" });
  expect(first).toMatchObject({ status: 200, json: { completionOffset: 1 } });
  const { json } = requested.post("/v2/updates/update-by-id", {
    updateId: first.json.updateId,
    updateFormat: {
      includeTransactions: {
        eventFormat: { filtersByParty: { [alice]: {} } },
        transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
      },
    },
  });
  const { value } = json.update.Transaction;
  expect(value).toMatchObject({ commandId: "c1", workflowId: "w", offset: 1, externalTransactionHash: null });
  expect(
    value.events.map(({ CreatedEvent }: { CreatedEvent: { nodeId: number; createArgument: { amount: string } } }) => [
      CreatedEvent.nodeId,
      CreatedEvent.createArgument.amount,
    ]),
  ).toEqual([
    [0, "1.5000000000"],
    [1, "2.5000000000"],
  ]);
});

test("a command exercises what an earlier one created, and a consumed contract is gone", () => {
  const requested = stub();
  const contractId = createdId(requested, "create");
  expect(submit(requested, { commands: [use(contractId)], commandId: "use" }).status).toBe(200);
  expect(submit(requested, { commands: [use(contractId, "Spend")], commandId: "spend" }).status).toBe(200);
  expectRefused(requested, () => submit(requested, { commands: [use(contractId)], commandId: "again" }), {
    status: 404,
    code: "CONTRACT_NOT_FOUND",
  });
  const both = {
    CreateAndExerciseCommand: { ...asset().CreateCommand, choice: "Archive", choiceArgument: {} },
  };
  const { json } = requested.post("/v2/commands/submit-and-wait-for-transaction", {
    commands: commands({ commands: [both], commandId: "both" }),
    transactionFormat: {
      eventFormat: { filtersByParty: { [alice]: {} } },
      transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
    },
  });
  expect(json.transaction.events.map((event: object) => Object.keys(event)[0])).toEqual([
    "CreatedEvent",
    "ExercisedEvent",
  ]);
});

test("the response with a transaction shows what submitters and readers see, or what a format asks", () => {
  const requested = stub();
  const { json } = submitForTransaction(requested);
  expect(json.transaction.events).toMatchObject([{ CreatedEvent: { witnessParties: [alice] } }]);
  const both = submitForTransaction(requested, { commandId: "both", readAs: [bob] }).json;
  expect(both.transaction.events).toMatchObject([{ CreatedEvent: { witnessParties: [alice, bob] } }]);
  const format = {
    eventFormat: { filtersByParty: { [dso]: {} } },
    transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
  };
  expect(submitForTransaction(requested, { commandId: "none" }, format).json.transaction.events).toEqual([]);
  const unspecified = { ...format, transactionShape: "TRANSACTION_SHAPE_UNSPECIFIED" };
  expectRefused(requested, () => submitForTransaction(requested, { commandId: "x" }, unspecified), {
    status: 400,
    code: "MISSING_FIELD",
  });
});

test("a transaction tree has its events by node id", () => {
  const { status, json } = stub().post("/v2/commands/submit-and-wait-for-transaction-tree", commands());
  expect(status).toBe(200);
  expect(json.transactionTree).toMatchObject({
    offset: 1,
    eventsById: { 0: { CreatedTreeEvent: { value: { nodeId: 0, signatories: [alice] } } } },
  });
  expect(json.transactionTree).not.toHaveProperty("events");
});

test("an asynchronous submission has the same effect", () => {
  const requested = stub();
  expect(requested.post("/v2/commands/async/submit", commands())).toEqual({ status: 200, json: {} });
  const asked = { activeAtOffset: 1, eventFormat: { filtersByParty: { [alice]: {} } } };
  const templates = requested
    .post("/v2/state/active-contracts", asked)
    .json.map(
      ({ contractEntry }: { contractEntry: { JsActiveContract: { createdEvent: { templateId: string } } } }) =>
        contractEntry.JsActiveContract.createdEvent.templateId,
    );
  expect(templates).toContain(`${"b".repeat(64)}:Main:Asset`);
});

test("a change is executed once within its period, whatever its commands are", () => {
  const requested = stub();
  expect(submit(requested, { submissionId: "s1" }).status).toBe(200);
  const again = { commands: [asset({ count: 4 })], submissionId: "s2", workflowId: "w", readAs: [bob] };
  expectRefused(requested, () => submit(requested, again), {
    status: 409,
    code: "DUPLICATE_COMMAND",
    correlationId: "s2",
    context: { existing_submission_id: "s1" },
  });
  expect(submit(requested, { actAs: [alice, bob] }).status).toBe(200);
  expect(
    submit(requested, { commandId: "c2", deduplicationPeriod: { DeduplicationOffset: { value: 2 } } }).status,
  ).toBe(200);
  expect(submit(requested, { deduplicationPeriod: { DeduplicationOffset: { value: 1 } } }).status).toBe(200);
});

test("missing submitters are refused before the token, other members after it", () => {
  const requested = stub({ auth: "user" });
  const anonymous = (more: object) => {
    const response = requested.ask("/v2/commands/submit-and-wait", {
      method: "POST",
      body: commands(more),
      token: "",
    });
    return { status: response.status, json: JSON.parse(response.text) };
  };
  const missing = { status: 400, code: "MISSING_FIELD", context: { field_name: "act_as/actAs" } };
  expectRefused(requested, () => anonymous({ actAs: [] }), missing);
  expectRefused(requested, () => anonymous({ commands: [] }), { status: 401 });
  expectRefused(requested, () => submit(requested, { actAs: [bob] }, "alice"), { status: 403 });
  expectRefused(requested, () => submit(requested, { readAs: [bob] }, "alice"), { status: 403 });
  expectRefused(requested, () => submit(requested, { userId: "bob" }, "alice"), { status: 403 });
  expect(submit(requested, {}, "alice").status).toBe(200);
});

const refusals: readonly (readonly [about: string, more: object, expected: object])[] = [
  ["no commands", { commands: [] }, { code: "MISSING_FIELD" }],
  ["an empty command id", { commandId: "" }, { code: "MISSING_FIELD" }],
  ["a command id with a wrong character", { commandId: "a\nb" }, { code: "INVALID_FIELD" }],
  ["a wrong workflow id", { workflowId: "a\nb" }, { code: "INVALID_FIELD" }],
  ["a wrong party", { actAs: ["a/b"] }, { code: "INVALID_FIELD" }],
  ["a wrong synchronizer", { synchronizerId: "nothing" }, { code: "INVALID_FIELD" }],
  ["an unknown synchronizer", { synchronizerId: "c::1220ab" }, { code: "INVALID_PRESCRIBED_SYNCHRONIZER_ID" }],
  [
    "two minimum ledger times",
    { minLedgerTimeAbs: "2026-01-01T00:00:00Z", minLedgerTimeRel: { seconds: 1, nanos: 0 } },
    { code: "INVALID_ARGUMENT" },
  ],
  ["a negative minimum", { minLedgerTimeRel: { seconds: -1, nanos: 0 } }, { code: "INVALID_FIELD" }],
  [
    "a ledger time too far ahead",
    { minLedgerTimeAbs: "2026-01-01T00:02:00Z" },
    { status: 409, code: "LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND" },
  ],
  [
    "a negative period",
    { deduplicationPeriod: { DeduplicationDuration: { value: { seconds: -1, nanos: 0 } } } },
    { code: "INVALID_FIELD" },
  ],
  ["an unknown preference", { packageIdSelectionPreference: ["c".repeat(64)] }, { code: "INVALID_ARGUMENT" }],
  [
    "two preferences for a name",
    { packageIdSelectionPreference: ["a".repeat(64), "b".repeat(64)] },
    { code: "INVALID_ARGUMENT" },
  ],
  ["no passes", { tapsMaxPasses: 0 }, { code: "INVALID_ARGUMENT" }],
  [
    "a command by key",
    {
      commands: [
        { ExerciseByKeyCommand: { templateId: "#app:Main:Asset", contractKey: {}, choice: "Use", choiceArgument: {} } },
      ],
    },
    { code: "INVALID_ARGUMENT" },
  ],
  ["a missing authorization", { commands: [asset({ owner: bob })] }, { code: "DAML_AUTHORIZATION_ERROR" }],
  ["an unknown choice", { commands: [use("00".repeat(33))] }, { status: 404, code: "CONTRACT_NOT_FOUND" }],
  ["an empty contract id", { commands: [use("")] }, { code: "MISSING_FIELD" }],
  ["a text that is not a contract id", { commands: [asset(), use("null")] }, { code: "INVALID_FIELD" }],
  ["an unknown party", { actAs: ["carol::1220ab"] }, { status: 404, code: "UNKNOWN_SUBMITTERS" }],
];

test.each(refusals)("%s: refused, and nothing changes", (_about, more, expected) => {
  const requested = stub();
  expectRefused(requested, () => submit(requested, { ...more, submissionId: "s" }), {
    status: 400,
    correlationId: "s",
    ...expected,
  });
});

test("a body without a mandatory member is refused as text", () => {
  const { ask } = stub();
  for (const member of ["commands", "commandId", "actAs"]) {
    const { [member as "commands"]: _, ...body } = commands();
    const refused = ask("/v2/commands/submit-and-wait", { method: "POST", body });
    expect(refused).toMatchObject({ status: 400, contentType: expect.stringContaining("text/plain") });
    expect(refused.text).toBe(`Invalid value for: body (Missing required field at '${member}')`);
  }
});

test("an external party does not submit, and the reason says how it signs", () => {
  const publicKeys = `[${Buffer.from(publicKey).toString("base64")}]`;
  const requested = stub({ keys: `, publicKeys: ${publicKeys}` });
  expectRefused(requested, () => submit(requested), {
    status: 404,
    code: "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT",
  });
});

test("a token transfer is one command", () => {
  const { status, json } = transfer(stub());
  expect(status).toBe(200);
  expect(json.transaction.events.map((event: object) => Object.keys(event)[0])).toContain("ArchivedEvent");
});

test("ledger effects show an event to the informees of the exercises around it, the delta to stakeholders alone", () => {
  const requested = stub();
  transfer(requested);
  const events = (party: string, transactionShape: string) =>
    Object(
      requested.post("/v2/updates/transaction-by-id", {
        updateId: [...requested.world.state.ledger.updates.values()].at(-1)?.updateId,
        transactionFormat: { eventFormat: { filtersByParty: { [party]: {} } }, transactionShape },
      }).json.transaction,
    ).events.map((event: object) => {
      const [[kind, { templateId, witnessParties, acsDelta }] = ["", Object(event)]] = Object.entries(event);
      return [kind, templateId.split(":").at(-1), witnessParties, acsDelta];
    });
  // The sender exercised the factory, and so sees the holding of the receiver, who is its only stakeholder.
  expect(events(alice, "TRANSACTION_SHAPE_LEDGER_EFFECTS")).toContainEqual(["CreatedEvent", "Amulet", [alice], false]);
  expect(events(alice, "TRANSACTION_SHAPE_ACS_DELTA")).not.toContainEqual(
    expect.arrayContaining(["CreatedEvent", "Amulet", [alice], false]),
  );
  expect(events(bob, "TRANSACTION_SHAPE_ACS_DELTA")).toEqual([["CreatedEvent", "Amulet", [bob], true]]);
});

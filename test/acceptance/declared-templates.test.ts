import { expect, test } from "vitest";
import { entriesOf, entriesOfJson, withEntries } from "../../src/stub/stores/difference.ts";
import { isWorldState } from "../../src/stub/stores/is-world-state.ts";
import { alice, asset, bob, execute, type Post, prepare, type Stub, stub, withPost } from "./_prepared.ts";

const app = "b".repeat(64);
const more = `  - { template: "#app:Main:Offer", signatories: [seller, buyers], choices: { Accept: consuming } }
  - { template: "#app:Main:Tradeable" }
`;

/** A contract of the template Asset, created by Alice. */
function assetIn(requested: Stub): string {
  const { transaction } = execute(requested, prepare(requested, asset()), {
    path: "executeAndWaitForTransaction",
  }).json;
  return transaction.events[0].CreatedEvent.contractId;
}

const creating = (templateId: string, createArguments: object) => ({ CreateCommand: { templateId, createArguments } });
const using = (contractId: string, templateId: string, choice = "Use") => ({
  ExerciseCommand: { templateId, contractId, choice, choiceArgument: {} },
});

function expectError(
  { status, json }: Post,
  expected: { readonly status: number; readonly [member: string]: unknown },
) {
  const { status: expectedStatus, ...members } = expected;
  expect(json).toMatchObject(members);
  expect(status).toBe(expectedStatus);
}

test("a create needs the authorization of each signatory, and an exercise that of each acting party", () => {
  const requested = stub({ ledger: more });
  const refused = (command: object, actAs: readonly string[]) => prepare(requested, command, { actAs });
  const unauthorized = { status: 400, code: "DAML_AUTHORIZATION_ERROR", errorCategory: 8, grpcCodeValue: 3 };
  const text = (problem: string) => `Interpretation error: Error: node NodeId(0) (${app}:Main:${problem}`;
  expectError(refused(asset({ owner: bob }), [alice]), {
    ...unauthorized,
    cause: text(`Asset) requires authorizers ${bob}, but only ${alice} were given`),
  });
  const offer = creating("#app:Main:Offer", { seller: bob, buyers: [alice] });
  expectError(refused(offer, [alice]), {
    ...unauthorized,
    cause: text(`Offer) requires authorizers ${alice},${bob}, but only ${alice} were given`),
  });
  expect(refused(offer, [bob, alice]).status).toBe(200);
  expectError(refused(creating("#app:Main:Offer", { buyers: [] }), [alice]), {
    ...unauthorized,
    cause: text("Offer) has no signatories"),
  });
  const archive = using(assetIn(requested), "#app:Main:Asset", "Archive");
  expectError(refused(archive, [bob]), {
    ...unauthorized,
    cause: text(`Asset) requires authorizers ${alice}, but only ${bob} were given`),
  });
});

test("the second create of a transaction is named by its node", () => {
  const requested = stub();
  const { json } = prepare(requested, asset(), {
    commands: [asset(), asset({ owner: bob })],
  });
  expect(json.cause).toContain("NodeId(1)");
});

test.each([
  ["a create", creating("#app:Main:Coin", { owner: alice })],
  ["a create by package id", creating(`${app}:Main:Coin`, { owner: alice })],
  [
    "a create-and-exercise",
    {
      CreateAndExerciseCommand: {
        templateId: "#app:Main:Coin",
        createArguments: { owner: alice },
        choice: "Use",
        choiceArgument: {},
      },
    },
  ],
])("%s of a template that its package does not declare is refused", (_what, command) => {
  const templateId = Object.values<{ readonly templateId: string }>(command)[0]?.templateId;
  expectError(prepare(stub(), command), {
    status: 404,
    code: "TEMPLATES_OR_INTERFACES_NOT_FOUND",
    errorCategory: 11,
    cause: `Templates do not exist: [${templateId}].`,
    resources: [["TEMPLATE_ID", templateId]],
  });
});

test("an exercise names the template of the contract or a declared interface", () => {
  const requested = stub({ ledger: more });
  const contractId = assetIn(requested);
  const named = (templateId: string, choice?: string) => prepare(requested, using(contractId, templateId, choice));
  for (const choice of ["Use", "Archive"]) {
    expect(named("#app:Main:Asset", choice).status).toBe(200);
    expect(named("#app:Main:Tradeable", choice).status).toBe(200);
    expect(named("#app:Main:Coin", choice).json.code).toBe("TEMPLATES_OR_INTERFACES_NOT_FOUND");
    expectError(named("#app:Main:Offer", choice), {
      status: 400,
      code: "WRONGLY_TYPED_CONTRACT",
      errorCategory: 9,
      cause: expect.stringContaining(
        `wrongly typed contract id ${contractId}\nExpected contract of type Main:Offer@${app} but got Main:Asset@${app}`,
      ),
      resources: [
        ["ErrorResource(CONTRACT_ID)", contractId],
        ["ErrorResource(TEMPLATE_ID)", `${app}:Main:Offer`],
        ["ErrorResource(TEMPLATE_ID)", `${app}:Main:Asset`],
      ],
    });
  }
});

test("a package that declares no template has any, signed by the submitters", () => {
  const command = creating("#splice-amulet:Splice.Other:Coin", {});
  expect(prepare(stub(), command).status).toBe(200);
});

test("a command of an unknown package is refused with the text of a node", () => {
  const unknown = { status: 400, code: "JSON_API_PACKAGE_SELECTION_FAILED", errorCategory: 9 };
  expectError(prepare(stub(), creating("#none:A:B", {})), {
    ...unknown,
    cause: `No package with package-name 'none' is consistently vetted by all hosting participants of party ${alice}`,
  });
  const id = "d".repeat(64);
  expectError(prepare(stub(), creating(`${id}:A:B`, {})), { ...unknown, cause: `Package-id ${id} not known` });
});

test("the refusal of a template that the fixture does not declare names the nearest one, and where to declare it", () => {
  const requested = stub();
  const commands = [creating("#app:Main:Asst", { owner: alice })];
  const body = {
    commandId: "c",
    actAs: [alice],
    commands,
    disclosedContracts: [],
    synchronizerId: "",
    packageIdSelectionPreference: [],
  };
  expect(requested.reasonOf("/v2/interactive-submission/prepare", { method: "POST", body })).toContain(
    'Templates do not exist: [#app:Main:Asst]. Declare it under templates of the ledger fixture, as the others of its package. Did you mean "Main:Asset"?',
  );
});

const typed = `  - { template: "#app:Main:Loan", signatories: [lender], fields: { lender: Party, amount: Decimal, guarantors: [Party], note: Optional Text, due: Date } }
`;
const loan = (more: object = {}) =>
  creating("#app:Main:Loan", { lender: alice, amount: "10.5", guarantors: [bob], due: "2026-02-01", ...more });

test("a create argument has the types that the fixture states", () => {
  const requested = stub({ ledger: typed });
  const { transaction } = execute(requested, prepare(requested, loan()), { path: "executeAndWaitForTransaction" }).json;
  expect(transaction.events[0].CreatedEvent.createArgument).toEqual({
    lender: alice,
    amount: "10.5000000000",
    guarantors: [bob],
    note: null,
    due: "2026-02-01",
  });
});

test.each([
  [
    { amount: "1.00000000001" },
    "COMMAND_PREPROCESSING_FAILED",
    "Cannot represent 1.00000000001 as (Numeric 10) without loss of precision",
    "amount",
  ],
  [
    { amount: "ten" },
    "INVALID_ARGUMENT",
    'The submitted request has invalid arguments: Could not read Numeric string "ten"',
    "amount",
  ],
  [
    { guarantors: [bob, 7] },
    "INVALID_ARGUMENT",
    "The submitted request has invalid arguments: Expected ujson.Str (data: 7)",
    "guarantors[1]",
  ],
  [
    { due: "soon" },
    "INVALID_ARGUMENT",
    "The submitted request has invalid arguments: Text 'soon' could not be parsed at index 0",
    "due",
  ],
  [
    { amont: "1" },
    "INVALID_ARGUMENT",
    "The submitted request has invalid arguments: Unexpected fields: amont",
    undefined,
  ],
  [{ due: undefined }, "COMMAND_PREPROCESSING_FAILED", "Missing non-optional fields: Set(due)", undefined],
])("the argument with %j is refused by a stated type as on a node", (more, code, cause, path) => {
  const requested = stub({ ledger: typed });
  expectError(prepare(requested, loan(more)), { status: 400, code, cause });
  const body = {
    commandId: "c",
    actAs: [alice],
    commands: [loan(more)],
    disclosedContracts: [],
    synchronizerId: "",
    packageIdSelectionPreference: [],
  };
  expect(requested.reasonOf("/v2/interactive-submission/prepare", { method: "POST", body })).toContain(
    path === undefined ? "This is the whole argument." : `The value is at '${path}' of the argument.`,
  );
});

test("stated types are stored with the state of a world", () => {
  const entries = [...entriesOf(stub({ ledger: typed }).world.state)];
  const restored = withEntries(undefined, entriesOfJson(JSON.parse(JSON.stringify(entries))));
  if (!isWorldState(restored)) throw new Error("the state is not restored");
  const { templates } = restored.ledger;
  expect(templates.get("app:Main:Loan")?.fields?.get("guarantors")).toBe("[Party]");
  expect(templates.get("app:Main:Asset")?.fields).toBeUndefined();
});

test.each([[[]], [[[]]], [[["x"]]], [null]])(
  "an optional value in an optional one is shown as a node shows it: %j",
  (deep) => {
    const requested = stub({
      ledger: `  - { template: "#app:Main:Deep", signatories: [owner], fields: { owner: Party, deep: Optional (Optional Text), flat: Optional Text } }\n`,
    });
    const prepared = prepare(requested, creating("#app:Main:Deep", { owner: alice, deep }));
    if (deep === null) {
      expectError(prepared, { status: 400, code: "INVALID_ARGUMENT" });
      return;
    }
    for (const executing of [requested.fork(), requested.forkWithoutCaches()].map(withPost)) {
      const { transaction } = execute(executing, prepared, { path: "executeAndWaitForTransaction" }).json;
      expect(transaction.events[0].CreatedEvent.createArgument).toEqual({ owner: alice, deep, flat: null });
    }
  },
);

test("a type that no fixture can state, in the state of an imported world, is refused by its name", () => {
  const requested = stub({ ledger: typed });
  const fields = requested.world.state.ledger.templates.get("app:Main:Loan")?.fields;
  if (!(fields instanceof Map)) throw new Error("the fixture states types");
  fields.set("amount", "Amount");
  expectError(prepare(requested, loan()), {
    status: 400,
    code: "COMMAND_PREPROCESSING_FAILED",
    cause: '"Amount" is not a type',
  });
});

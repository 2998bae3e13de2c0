import { expect, test } from "vitest";
import { stubOf } from "./_stub.ts";

const v1 = "/registry/allocation-instruction/v1/allocation-factory";
const v2 = "/registry/allocation-instruction/v2/allocation-factory";
const alice = "alice::1220ab";
const empty = { values: {} };
const extraArgs = { context: empty, meta: empty };
const account = (owner: string) => ({ owner, provider: null, id: "" });
const settlement = { executors: ["venue::1220ab"], id: "trade-1", cid: null, meta: empty };

const legSide = (index: number, changes: object = {}) => ({
  transferLegId: `leg-${index}`,
  side: "SenderSide",
  otherside: account("bob::1220ab"),
  amount: "1.0",
  instrumentId: "Amulet",
  meta: empty,
  ...changes,
});

const allocation = {
  settlement,
  admin: "DSO::1220ab",
  authorizer: account(alice),
  transferLegSides: [legSide(0)],
  settlementDeadline: null,
  nextIterationFunding: null,
  committed: false,
  meta: empty,
};

const allocate = (changes: object = {}) => ({
  choiceArguments: {
    allocation: { ...allocation, ...changes },
    requestedAt: "2026-01-01T00:00:00Z",
    inputHoldingCids: [],
    extraArgs,
    actors: [alice],
  },
  excludeDebugFields: true,
});

test.each([
  [v1, { choiceArguments: { anything: 1 } }, ["amulet-rules", "open-round", "external-party-config-state"]],
  [v2, allocate(), ["external-party-config-state"]],
])("%s responds with the factory and the context of an allocation, without a transfer kind", (path, body, keys) => {
  for (const profile of ["spec", "canton-3.5"] as const) {
    const { factoryId, choiceContext, ...further } = JSON.parse(stubOf("quickstart", profile).ask(path, { body }).text);
    expect(further).toEqual({});
    const values: Record<string, { value: string }> = choiceContext.choiceContextData.values;
    expect(Object.keys(values)).toEqual(keys);
    expect(choiceContext.disclosedContracts.map(({ contractId }: { contractId: string }) => contractId)).toEqual([
      ...Object.values(values).map(({ value }) => value),
      factoryId,
    ]);
  }
});

test.each([
  ["canton-3.5", true, { debugPackageName: null, debugPayload: null, debugCreatedAt: null }],
  ["canton-3.5", false, { debugPackageName: "splice-amulet" }],
] as const)(
  "in profile %s excludeDebugFields %s decides on the debug members",
  (profile, excludeDebugFields, shown) => {
    for (const path of [v1, v2]) {
      const response = stubOf("quickstart", profile).ask(path, { body: { ...allocate(), excludeDebugFields } });
      expect(JSON.parse(response.text).choiceContext.disclosedContracts[0]).toMatchObject(shown);
    }
  },
);

test.each([
  ["without settlement", { settlement: null }, "Expected object or array but was null"],
  ["with an unknown member", { surprise: 1 }, "Unknown field surprise"],
  ["with an unknown side", { transferLegSides: [legSide(0, { side: "LeftSide" })] }, "Expected a known constructor"],
  ["with a text for committed", { committed: "no" }, "Expected boolean but was no"],
  [
    "with 101 transfer legs",
    { transferLegSides: Array.from({ length: 101 }, (_, index) => legSide(index)) },
    "Too many transfer legs in the settle batch: 101. Maximum allowed: 100",
  ],
])("refuses an allocation of the second generation %s", (_, changes, message) => {
  const response = stubOf("quickstart", "canton-3.5").ask(v2, { body: allocate(changes) });
  expect(response).toMatchObject({ status: 400, contentType: "application/json" });
  expect(JSON.parse(response.text).error).toContain(message);
});

test.each([
  ["100 transfer legs", { transferLegSides: Array.from({ length: 100 }, (_, index) => legSide(index)) }],
  ["funds for the next iteration", { nextIterationFunding: { Amulet: "1.5" } }],
  ["a deadline", { settlementDeadline: "2026-02-01T00:00:00Z" }],
])("accepts an allocation of the second generation with %s", (_, changes) => {
  expect(stubOf("quickstart", "canton-3.5").ask(v2, { body: allocate(changes) }).status).toBe(200);
});

test.each([v1, v2])("%s requires choiceArguments", (path) => {
  expect(stubOf("quickstart", "canton-3.5").ask(path, { body: {} }).status).toBe(400);
});

test.each([v1, v2])("%s responds with 409 while a disclosed contract is being reassigned", (path) => {
  const { world, ask } = stubOf("reassignment-by-time", "canton-3.5");
  world.advanceBy(30_000);
  const response = ask(path, { body: allocate() });
  expect(response).toMatchObject({ status: 409, contentType: "application/json" });
  expect(JSON.parse(response.text).error).toMatch(/^Contract external-party-amulet-rules .* is being reassigned/);
  world.advanceBy(12_000);
  expect(ask(path, { body: allocate() }).status).toBe(200);
});

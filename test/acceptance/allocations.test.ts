import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkExchange } from "../../src/checker/engine/checker.ts";
import { Body } from "../../src/foundation/http/body.ts";
import { textResponse } from "../../src/foundation/http/response.ts";
import { loadSpec } from "../../src/foundation/spec/spec.ts";
import { account, empty, extraArgs } from "../_transfer.ts";
import { type RequestedStub, stubOf, stubOver } from "./_stub.ts";

const v1 = "/registry/allocation-instruction/v1/allocation-factory";
const v2 = "/registry/allocation-instruction/v2/allocation-factory";
const alice = "alice::1220ab";
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

const ledger = "participantId: p::1220ab\n";
const fixture = readFileSync(new URL("../../fixtures/registries/allocations.yaml", import.meta.url), "utf8");
const idOf = ({ world }: RequestedStub, name: string) => world.state.registry.contracts.get(name)?.contractId ?? "";
const hourMs = 3_600_000;
const common = ["amulet-rules", "open-round", "external-party-config-state"];

/** A stub over the allocations of the fixture, some hours after its start. */
function allocations(hours = 0.01, registryProfile = "splice-0.7", registry = fixture): RequestedStub {
  const stub = stubOver({ ledger, registry, registryProfile }, "canton-3.5");
  stub.world.advanceBy(hours * hourMs);
  return stub;
}

const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });

/** The findings of the rules about one exchange. */
function findingsOf(target: string, body: object, status: number, text: string): readonly object[] {
  const request = { method: "POST", target, headers: [], body: new Body(JSON.stringify(body)) };
  const response = textResponse(status, "application/json", text);
  const exchange = { startedAt: "2026-01-01T00:00:00Z", durationMs: 1, request, response };
  const verdict = checkExchange(spec, "release", exchange);
  return verdict.type === "checked" ? verdict.results.filter(({ outcome }) => outcome !== "PASS") : [verdict];
}

/** Status, error, keys of the context, and names of the disclosed contracts. */
function contextOf(stub: RequestedStub, path: string, body: object = { excludeDebugFields: true }) {
  const { status, text } = stub.ask(path, { body });
  expect(findingsOf(path, body, status, text)).toEqual([]);
  const { error, choiceContextData, disclosedContracts, choiceContext } = JSON.parse(text);
  const names = new Map(
    [...stub.world.state.registry.contracts.entries()].map(([name, { contractId }]) => [contractId, name]),
  );
  const disclosed = disclosedContracts ?? choiceContext?.disclosedContracts ?? [];
  const values = choiceContextData?.values ?? choiceContext?.choiceContextData?.values ?? {};
  return {
    status,
    error,
    keys: Object.keys(values),
    expires: values["expire-lock"]?.value,
    disclosed: disclosed.map(({ contractId }: { contractId: string }) => names.get(contractId)),
  };
}

const choicePath = (generation: string, stub: RequestedStub, name: string, choice: string) =>
  `/registry/allocations/${generation}/${idOf(stub, name)}/choice-contexts/${choice}`;

test.each([
  ["v1", "allocation-1", "execute-transfer", ["featured-app-right"], ["locked-1", "featured-app-right"]],
  ["v1", "allocation-1", "withdraw", [], ["locked-1"]],
  ["v1", "allocation-1", "cancel", [], ["locked-1"]],
  ["v2", "allocation-3", "withdraw", [], ["locked-3"]],
  ["v2", "allocation-3", "cancel", [], ["locked-3"]],
  ["v2", "allocation-1", "cancel", [], ["locked-1"]],
])("the %s context of %s to %s unlocks the holding and discloses it", (generation, name, choice, keys, disclosed) => {
  const stub = allocations();
  expect(contextOf(stub, choicePath(generation, stub, name, choice))).toEqual({
    status: 200,
    error: undefined,
    keys: [...common, "expire-lock", ...keys],
    expires: true,
    disclosed: [...common, ...disclosed],
  });
});

test.each([
  ["v1", "allocation-1", "withdraw"],
  ["v1", "allocation-1", "cancel"],
  ["v2", "allocation-1", "withdraw"],
  ["v2", "allocation-without-funds", "cancel"],
])("the %s context of %s to %s without a locked holding has only expire-lock false", (generation, name, choice) => {
  const stub = allocations(1);
  expect(contextOf(stub, choicePath(generation, stub, name, choice))).toEqual({
    status: 200,
    error: undefined,
    keys: ["expire-lock"],
    expires: false,
    disclosed: [],
  });
});

test("an allocation is not executed without its locked holding", () => {
  const stub = allocations(1);
  expect(contextOf(stub, choicePath("v1", stub, "allocation-1", "execute-transfer"))).toMatchObject({
    status: 404,
    error: `LockedAmulet '${idOf(stub, "locked-1")}' not found for AmuletAllocation '${idOf(stub, "allocation-1")}'`,
  });
});

test.each([
  ["an allocation of the second generation", "v1", "allocation-3", 0.01],
  ["an archived allocation", "v1", "allocation-2", 3],
  ["another contract", "v2", "locked-1", 0.01],
])("%s is not found on the paths of %s", (_, generation, name, hours) => {
  const stub = allocations(hours);
  expect(contextOf(stub, choicePath(generation, stub, name, "cancel"))).toMatchObject({
    status: 404,
    error: `AmuletAllocation '${idOf(stub, name)}' not found.`,
  });
});

test.each([
  ["splice-0.7", 2, true],
  ["splice-0.8", 1.99, true],
  ["splice-0.8", 2, false],
])(
  "in profile %s after %d hours the right of a featured executor is in the context: %s",
  (profile, hours, isFeatured) => {
    const stub = allocations(hours, profile);
    const { keys, disclosed } = contextOf(stub, choicePath("v1", stub, "allocation-2", "execute-transfer"));
    expect([keys.includes("featured-app-right"), disclosed.includes("featured-app-right")]).toEqual([
      isFeatured,
      isFeatured,
    ]);
  },
);

const leg = {
  transferLegId: "leg-0",
  sender: account(alice),
  receiver: account("bob::1220ab"),
  amount: 1,
  instrumentId: "Amulet",
  meta: empty,
};
const finalized = (allocationCid: string) => ({ allocationCid, extraTransferLegSides: [], nextIterationFunding: null });
const settle = (allocationIds: readonly string[], changes: object = {}) => ({
  choiceArguments: {
    settlement,
    transferLegs: [leg],
    allocations: allocationIds.map(finalized),
    actors: ["venue::1220ab"],
    extraArgs,
    ...changes,
  },
  excludeDebugFields: true,
});
const settlementFactory = "/registry/allocation/v2/settlement-factory";

test("the settlement factory discloses the locked holdings of the allocations, each once, and ignores unknown ones", () => {
  const stub = allocations();
  const ids = ["allocation-3", "allocation-2", "allocation-2", "allocation-without-funds"].map((name) =>
    idOf(stub, name),
  );
  expect(contextOf(stub, settlementFactory, settle([...ids, "00ff"]))).toEqual({
    status: 200,
    error: undefined,
    keys: ["external-party-config-state"],
    expires: undefined,
    disclosed: ["external-party-config-state", "external-party-amulet-rules", "locked-3", "locked-2"],
  });
});

const parties = Array.from({ length: 101 }, (_, index) => account(`p${index}::1220ab`));

test.each([
  ["100 allocations", settle(Array.from({ length: 100 }, () => "00ff")), 200, undefined],
  [
    "101 allocations",
    settle(Array.from({ length: 101 }, () => "00ff")),
    400,
    "Too many allocations in the settle batch: 101. Maximum allowed: 100",
  ],
  [
    "101 transfer legs",
    settle([], { transferLegs: parties.map(() => leg) }),
    400,
    "Too many transfer legs in the settle batch: 101. Maximum allowed: 100",
  ],
  [
    "101 parties",
    settle([], { transferLegs: parties.slice(1).map((receiver) => ({ ...leg, sender: parties[0], receiver })) }),
    400,
    "Too many parties in the settle batch: 101. Maximum allowed: 100",
  ],
])("the settlement factory decides on %s", (_, body, status, error) => {
  expect(contextOf(allocations(), settlementFactory, body)).toMatchObject({ status, error });
});

test("the settlement factory refuses other arguments", () => {
  expect(contextOf(allocations(), settlementFactory, { choiceArguments: allocation })).toMatchObject({
    status: 400,
    error: expect.stringContaining("does not contain a valid `SettlementFactory_SettleBatch`"),
  });
});

const instructions = "/registry/allocation-instruction/v2";

test.each(["accept", "withdraw"])(
  "a registry without allocation instructions refuses the context to %s one",
  (choice) => {
    expect(contextOf(allocations(), `${instructions}/00ff/choice-contexts/${choice}`)).toMatchObject({
      status: 400,
      error:
        "Allocation instruction choice contexts are unsupported because amulet does not create allocation instructions.",
    });
  },
);

test.each(["accept", "withdraw"])("a declared allocation instruction has a context to %s it", (choice) => {
  const declared = fixture.replace(
    "type: v2, contract: allocation-3, locked: locked-3",
    "type: instruction, contract: allocation-3",
  );
  const stub = allocations(0.01, "splice-0.7", declared);
  const path = (id: string) => `${instructions}/${id}/choice-contexts/${choice}`;
  expect(contextOf(stub, path(idOf(stub, "allocation-3")))).toMatchObject({
    status: 200,
    keys: common,
    disclosed: common,
  });
  expect(contextOf(stub, path("00ff"))).toMatchObject({
    status: 404,
    error: "AllocationInstruction '00ff' not found.",
  });
});

test("contexts of allocations respond with 409 while a disclosed contract is being reassigned", () => {
  const stub = allocations();
  const target = "b::1220ab";
  stub.world.perform([{ type: "reassignment-begun", contract: "locked-2", target }]);
  const paths = ["execute-transfer", "withdraw", "cancel"].map((choice) =>
    choicePath("v1", stub, "allocation-2", choice),
  );
  for (const path of paths) expect(contextOf(stub, path)).toMatchObject({ status: 409 });
  expect(contextOf(stub, settlementFactory, settle([idOf(stub, "allocation-2")]))).toMatchObject({ status: 409 });
  expect(contextOf(stub, settlementFactory, settle([]))).toMatchObject({ status: 200 });
});

test("an instrument supports the allocation interfaces of both generations", () => {
  const { supportedApis } = JSON.parse(allocations().ask("/registry/metadata/v1/instruments/Amulet").text);
  expect(supportedApis).toMatchObject({
    "splice-api-token-allocation-v1": 1,
    "splice-api-token-allocation-instruction-v1": 1,
    "splice-api-token-allocation-v2": 1,
    "splice-api-token-allocation-instruction-v2": 1,
  });
});

import { expect, test } from "vitest";
import { decodeCreatedEventBlob } from "../../src/foundation/protobuf/created-event-blob.ts";
import { loadSpec } from "../../src/foundation/spec/spec.ts";
import { transferLookup } from "../_transfer.ts";
import { stubOf, stubOver } from "./_stub.ts";

const path = "/registry/transfer-instruction/v2/transfer-factory";
const account = (owner: string | null, id = "") => ({ owner, provider: null, id });
const alice = "alice::1220ab";

function lookup(receiver: unknown, changes: Record<string, unknown> = {}, excludeDebugFields = true) {
  const { choiceArguments } = transferLookup();
  const transfer = { ...choiceArguments.transfer, receiver, ...changes };
  return { choiceArguments: { ...choiceArguments, transfer }, excludeDebugFields };
}

function bobOf(world: ReturnType<typeof stubOf>["world"]): string {
  return [...world.state.registry.preapprovals.entries()][0]?.[0] ?? "";
}

test.each([
  ["spec", "self"],
  ["canton-3.5", "offer"],
] as const)("distinguishes self, direct and offer in profile %s", (profile, betweenAccounts) => {
  const { world, ask } = stubOf("quickstart", profile);
  const kind = (receiver: unknown) => JSON.parse(ask(path, { body: lookup(receiver) }).text).transferKind;
  expect(kind(account(alice))).toBe("self");
  expect(kind(account(alice, "savings"))).toBe(betweenAccounts);
  expect(kind(account(bobOf(world)))).toBe("direct");
  expect(kind(account("carol::1220ab"))).toBe("offer");
});

test("discloses the factory last, with blobs that agree with their outer fields", () => {
  const { world, ask } = stubOf("quickstart", "spec");
  const body = JSON.parse(ask(path, { body: lookup(account(bobOf(world)), {}, false) }).text);
  const disclosed = body.choiceContext.disclosedContracts;
  expect(disclosed.at(-1).contractId).toBe(body.factoryId);
  expect(Object.keys(body.choiceContext.choiceContextData.values)).toEqual([
    "amulet-rules",
    "open-round",
    "external-party-config-state",
    "transfer-preapproval",
    "featured-app-right",
  ]);
  for (const contract of disclosed) {
    expect(decodeCreatedEventBlob(contract.createdEventBlob)).toMatchObject({
      contractId: contract.contractId,
      templateId: contract.templateId,
      packageName: contract.debugPackageName,
      createdAtMicros: BigInt(Date.parse(contract.debugCreatedAt)) * 1000n,
    });
  }
});

test("omits excluded debug members in profile spec and sends null in a release", () => {
  const [document, release] = (["spec", "canton-3.5"] as const).map((profile) =>
    JSON.parse(stubOf("quickstart", profile).ask(path, { body: lookup(account("carol::1220ab")) }).text),
  );
  expect(Object.keys(document.choiceContext.disclosedContracts[0])).toEqual([
    "templateId",
    "contractId",
    "createdEventBlob",
    "synchronizerId",
  ]);
  expect(release.choiceContext.disclosedContracts[0]).toMatchObject({
    debugPackageName: null,
    debugPayload: null,
    debugCreatedAt: null,
  });
});

test("responds with 409 while a disclosed contract is being reassigned, and with 200 and the new synchronizer afterwards", () => {
  const { world, ask } = stubOf("reassignment-by-time", "spec");
  const look = () => ask(path, { body: lookup(account("carol::1220ab")) });
  const before = JSON.parse(look().text).choiceContext.disclosedContracts.at(-1).synchronizerId;
  world.advanceBy(30_000);
  const during = look();
  expect(during).toMatchObject({ status: 409, contentType: "application/json" });
  expect(JSON.parse(during.text).error).toMatch(/^Contract external-party-amulet-rules .* is being reassigned/);
  world.advanceBy(12_000);
  const after = look();
  expect(after.status).toBe(200);
  expect(JSON.parse(after.text).choiceContext.disclosedContracts.at(-1).synchronizerId).not.toBe(before);
});

test("starts and ends a planned reassignment by call counts: the second and third lookup get 409", () => {
  const { ask } = stubOf("reassignment-by-calls", "spec");
  expect([1, 2, 3, 4].map(() => ask(path, { body: lookup(account("carol::1220ab")) }).status)).toEqual([
    200, 409, 409, 200,
  ]);
});

test.each([
  ["an unknown member", { surprise: 1 }, /Unknown field surprise/],
  ["an amount that is not a number", { amount: "blah" }, /Expected numeric but was blah/],
  ["a date without a time", { requestedAt: "2026-01-01" }, /Expected valid ISO 8601/],
  ["a day that does not exist", { requestedAt: "2026-02-30T00:00:00Z" }, /Expected valid ISO 8601/],
  ["hour 24", { requestedAt: "2026-01-01T24:00:00Z" }, /Expected valid ISO 8601/],
  ["a meta value that is not text", { meta: { values: { a: {} } } }, /Expected string but was \{\}/],
  ["a list with too few members", { instrumentId: ["Amulet"] }, /Expected array of 2/],
  ["a receiver without owner", { receiver: account(null) }, /special account/],
  ["a time of hour 24 and some minutes", { requestedAt: "2026-01-01T24:30:00Z" }, /Expected valid ISO 8601/],
  ["an amount of 10^28", { amount: "1e28" }, /Expected numeric in range/],
  ["a list with too many members", { instrumentId: ["DSO::1220ab", "Amulet", "x"] }, /Expected array of 2/],
  ["an account without id", { receiver: { owner: alice, provider: null } }, /Missing field id/],
  ["a sender without owner", { sender: account(null) }, /special account/],
  ["an empty owner", { receiver: account("") }, /Empty string is not a valid unique identifier/],
  ["an owner without a name", { receiver: account("::1220ab") }, /with empty identifier/],
  ["a receiver without namespace", { receiver: account("bob") }, /missing namespace/],
])("refuses %s with 400 and an ErrorResponse", (_name, changes, message) => {
  for (const profile of ["spec", "canton-3.5"] as const) {
    const response = stubOf("quickstart", profile).ask(path, { body: lookup(account("carol::1220ab"), changes) });
    expect(response).toMatchObject({ status: 400, contentType: "application/json" });
    expect(JSON.parse(response.text).error).toMatch(message);
  }
});

test.each([
  ["an offset as time zone", { requestedAt: "2026-01-01T00:00:00+02" }],
  ["a record as the list of its members", { instrumentId: ["DSO::1220ab", "Amulet"] }],
  ["an amount as a number", { amount: 1.5 }],
  ["an amount just below 10^28", { amount: "9999999999999999999999999999e-1" }],
  ["a time in hour 23", { requestedAt: "2026-01-01T23:59:59.999999Z" }],
  ["an account without provider", { sender: { owner: alice, id: "" } }],
])("accepts %s", (_name, changes) => {
  expect(stubOf("quickstart", "canton-3.5").ask(path, { body: lookup(account("carol::1220ab"), changes) }).status).toBe(
    200,
  );
});

test.each([
  ["a value without tag", { a: 1 }, 400],
  ["an unknown tag", { a: { tag: "AV_Thing", value: 1 } }, 400],
  ["a value with another member", { a: { tag: "AV_Text", value: "x", more: 1 } }, 400],
  ["a tag without value", { a: { tag: "AV_Text" } }, 400],
  ["a duration", { a: { tag: "AV_RelTime", value: 1 } }, 200],
  ["a tagged value", { a: { tag: "AV_Text", value: "x" } }, 200],
])("reads a context with %s", (_name, values, status) => {
  const body = lookup(account("carol::1220ab"));
  const given = JSON.parse(JSON.stringify(body));
  given.choiceArguments.extraArgs.context.values = values;
  expect(stubOf("quickstart", "canton-3.5").ask(path, { body: given }).status).toBe(status);
});

test("matches its path exactly", () => {
  const { ask } = stubOf("quickstart", "canton-3.5");
  for (const target of [`${path}/`, path.replace("/v2", "//v2"), `/${path}`])
    expect(ask(target, { body: lookup(account(alice)) })).toEqual({
      status: 404,
      contentType: "text/plain; charset=UTF-8",
      text: "The requested resource could not be found.",
    });
});

test("sends debug members unless excludeDebugFields is true", () => {
  const { ask } = stubOf("quickstart", "spec");
  const first = (body: unknown) => JSON.parse(ask(path, { body }).text).choiceContext.disclosedContracts[0];
  const { excludeDebugFields: _switch, ...silent } = lookup(account(alice));
  expect(Object.keys(first(silent))).toEqual(
    expect.arrayContaining(["debugPackageName", "debugPayload", "debugCreatedAt"]),
  );
  expect(
    Object.keys(first({ ...silent, excludeDebugFields: true })).filter((name) => name.startsWith("debug")),
  ).toEqual([]);
});

test("treats a null excludeDebugFields as absent in a release and refuses it in profile spec", () => {
  const body = { ...lookup(account(alice)), excludeDebugFields: null };
  const refused = stubOf("quickstart", "spec").ask(path, { body });
  expect(refused).toMatchObject({ status: 400, contentType: "application/json" });
  expect(JSON.parse(refused.text).error).toContain("excludeDebugFields");
  const accepted = stubOf("quickstart", "canton-3.5").ask(path, { body });
  expect(accepted.status).toBe(200);
  expect(JSON.parse(accepted.text).choiceContext.disclosedContracts[0].debugPayload).not.toBeNull();
});

test("ignores an unknown member that is null", () => {
  expect(
    stubOf("quickstart", "canton-3.5").ask(path, { body: lookup(account("carol::1220ab"), { lock: null }) }).status,
  ).toBe(200);
});

test("accepts {} as an empty context only in profile spec", () => {
  const status = (profile: "spec" | "canton-3.5") =>
    stubOf("quickstart", profile).ask(path, { body: lookup(account("carol::1220ab"), { meta: {} }) }).status;
  expect(status("spec")).toBe(200);
  expect(status("canton-3.5")).toBe(400);
});

test.each([
  ["text that is not JSON", "x", undefined],
  ["no choiceArguments", "{}", undefined],
  ["an empty body", "", undefined],
])("refuses %s: as ErrorResponse in the spec, as text in a release", (_name, rawBody) => {
  expect(stubOf("quickstart", "spec").ask(path, { rawBody, method: "POST" })).toMatchObject({
    status: 400,
    contentType: "application/json",
  });
  expect(stubOf("quickstart", "canton-3.5").ask(path, { rawBody, method: "POST" })).toMatchObject({
    status: 400,
    contentType: "text/plain; charset=UTF-8",
  });
});

test("refuses another media type, an unknown path and another method like a registry", () => {
  const { ask } = stubOf("quickstart", "canton-3.5");
  expect(ask(path, { body: lookup(account(alice)), headers: [["Content-Type", "text/xml"]] }).status).toBe(415);
  expect(ask("/registry/none").status).toBe(404);
  expect(ask(path).status).toBe(405);
});

test("additional operations of the registry declare the response to another media type", () => {
  const { operations } = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });
  const posts = operations.filter(
    ({ api, method, isAdditional }) => api === "registry" && method === "POST" && isAdditional,
  );
  expect(posts.length).toBeGreaterThan(15);
  expect(posts.filter(({ responses }) => responses["415"]?.mediaType !== "text/plain")).toEqual([]);
});

test("refuses another media type as an ErrorResponse in profile spec", () => {
  const { ask } = stubOf("quickstart", "spec");
  expect(ask(path, { body: lookup(account(alice)), headers: [["Content-Type", "text/xml"]] })).toEqual({
    status: 400,
    contentType: "application/json",
    text: JSON.stringify({
      error: "The request's Content-Type [text/xml] is not supported. Expected:\napplication/json",
    }),
  });
});

test("reports the column at the end of the compacted text", () => {
  const body = JSON.parse(JSON.stringify(lookup(account("carol::1220ab"), { amount: "blah" })));
  const column = JSON.stringify(body.choiceArguments).length;
  expect(JSON.parse(stubOf("quickstart", "canton-3.5").ask(path, { body }).text).error).toMatch(
    new RegExp(` at line: 1, column: ${column}$`),
  );
});

test("reads a transfer given as a list of its members in order", () => {
  const { world, ask } = stubOf("quickstart", "canton-3.5");
  const body = JSON.parse(JSON.stringify(lookup(account(bobOf(world)))));
  body.choiceArguments.transfer = Object.values(body.choiceArguments.transfer);
  expect(JSON.parse(ask(path, { body }).text).transferKind).toBe("direct");
});

test("compares whole accounts in a release, including the provider", () => {
  const { ask } = stubOf("quickstart", "canton-3.5");
  const receiver = { ...account(alice), provider: "p::1220ab" };
  expect(JSON.parse(ask(path, { body: lookup(receiver) }).text).transferKind).toBe("offer");
});

const utility = (more = "", factory = "contract: factory, ") => `admin: dso::1220ab
instrumentsChecked: true
instruments: [{ id: Amulet }]
factory: { ${factory}missing: no factory here, disclosed: first, context: [{ key: round, contracts: [early, late], missing: no round } ] }
contracts:
  - { name: factory, templateId: "${"a".repeat(64)}:M:T", packageName: p, createdAt: 2026-01-01T00:00:00.123456Z, synchronizer: "a::1220ab", signatories: ["x::1220ab"], payload: { note: null } }
  - { name: early, templateId: "${"a".repeat(64)}:M:T", packageName: p, createdAt: 2026-01-01T00:00:00Z, synchronizer: "a::1220ab", opensAt: 2026-01-01T00:00:00Z }
  - { name: late, templateId: "${"a".repeat(64)}:M:T", packageName: p, createdAt: 2026-01-01T00:00:00Z, synchronizer: "a::1220ab", opensAt: 2026-01-01T00:01:00Z }
${more}`;
const ledger = "participantId: p::1220ab\nidentityProviders: [{ id: c, issuer: i, jwksUrl: j }]\n";

test("refuses an unknown instrument if instruments are checked, and a missing factory", () => {
  const over = (registry: string, instrument: string, advanceMs = 1) => {
    const { world, ask } = stubOver({ ledger, registry }, "spec");
    world.advanceBy(advanceMs);
    const body = lookup(account("carol::1220ab"), { instrumentId: { admin: "dso::1220ab", id: instrument } });
    const response = ask(path, { body });
    return [response.status, JSON.parse(response.text).error];
  };
  expect(over(utility(), "Amulet")).toEqual([200, undefined]);
  expect(over(utility(), "Gold")).toEqual([404, "No instrument with id Gold found"]);
  expect(over(utility().replace("instrumentsChecked: true\n", ""), "Gold")).toEqual([200, undefined]);
  expect(over(utility("", ""), "Amulet")).toEqual([404, "no factory here"]);
  expect(over(utility(), "Amulet", 0)).toEqual([404, "no round"]);
});

test("discloses the factory first if configured, with the newest open round", () => {
  const { world, ask } = stubOver({ ledger, registry: utility() }, "spec");
  const round = () => {
    const { factoryId, choiceContext } = JSON.parse(ask(path, { body: lookup(account("carol::1220ab")) }).text);
    expect(choiceContext.disclosedContracts[0].contractId).toBe(factoryId);
    const { value } = choiceContext.choiceContextData.values.round;
    return [...world.state.registry.contracts.values()].find(({ contractId }) => contractId === value)?.name;
  };
  world.advanceBy(60_000);
  expect(round()).toBe("early");
  world.advanceBy(1);
  expect(round()).toBe("late");
});

test("keeps a payload including null members, and writes blobs with microseconds", () => {
  const { world, ask } = stubOver({ ledger, registry: utility() }, "spec");
  world.advanceBy(1);
  const body = JSON.parse(ask(path, { body: lookup(account("carol::1220ab"), {}, false) }).text);
  const [factory] = body.choiceContext.disclosedContracts;
  expect(factory.debugPayload).toEqual({ note: null });
  expect(decodeCreatedEventBlob(factory.createdEventBlob)).toMatchObject({
    createdAtMicros: BigInt(Date.parse("2026-01-01T00:00:00Z")) * 1000n + 123_456n,
    signatories: ["x::1220ab"],
  });
});

test("accepts a media type in any case, and a body without Content-Type", () => {
  const { ask } = stubOf("quickstart", "spec");
  for (const headers of [[], [["Content-Type", "Application/JSON; charset=utf-8"]]] as const)
    expect(ask(path, { body: lookup(account(alice)), headers }).status).toBe(200);
});

test("refuses an excludeDebugFields that is not a boolean", () => {
  const body = { ...lookup(account(alice)), excludeDebugFields: "yes" };
  for (const profile of ["spec", "canton-3.5"] as const)
    expect(stubOf("quickstart", profile).ask(path, { body })).toMatchObject({
      status: 400,
      text: expect.stringContaining("expecting 'true' or 'false'"),
    });
});

test("requires no token, and ignores tokens and the Accept header", () => {
  expect(stubOf("quickstart", "spec", "user").ask(path, { body: lookup(account(alice)), token: "" }).status).toBe(200);
  const { ask } = stubOf("quickstart", "canton-3.5");
  const requested = { body: lookup(account(alice)), token: "" };
  expect(ask(path, { ...requested, headers: [["Authorization", "Bearer "]] }).status).toBe(200);
  expect(ask(path, { ...requested, headers: [["Accept", "image/png"]] }).status).toBe(200);
});

test.each([
  ["splice-0.7", "at the switch-over time", 60_000, true],
  ["splice-0.8", "before the switch-over time", 59_999, true],
  ["splice-0.8", "at the switch-over time", 60_000, false],
  ["spec", "at the switch-over time", 60_000, false],
])("profile %s, %s: after %d ms the right of a featured provider is in a direct context: %s", (...given) => {
  const [registryProfile, , advanceMs, isFeatured] = given;
  const receiver = "bob::1220ab";
  const registry = utility(`featuredAppRightsEndAt: 2026-01-01T00:01:00Z
preapprovals: [{ receiver: "${receiver}", contract: factory, featuredAppRight: late }]
`);
  const { world, ask } = stubOver({ ledger, registry, registryProfile }, "canton-3.5");
  world.advanceBy(advanceMs);
  const { transferKind, choiceContext } = JSON.parse(ask(path, { body: lookup(account(receiver)) }).text);
  expect(transferKind).toBe("direct");
  const right = world.state.registry.contracts.get("late")?.contractId;
  expect([
    Object.keys(choiceContext.choiceContextData.values),
    choiceContext.disclosedContracts.some(({ contractId }: { contractId: string }) => contractId === right),
  ]).toEqual([["round", "transfer-preapproval", ...(isFeatured ? ["featured-app-right"] : [])], isFeatured]);
});

test("without a switch-over time the right of a featured provider stays in a direct context in profile splice-0.8", () => {
  const registry = utility(`preapprovals: [{ receiver: "bob::1220ab", contract: factory, featuredAppRight: late }]
`);
  const { world, ask } = stubOver({ ledger, registry, registryProfile: "splice-0.8" }, "canton-3.5");
  world.advanceBy(60_000);
  const { choiceContext } = JSON.parse(ask(path, { body: lookup(account("bob::1220ab")) }).text);
  expect(Object.keys(choiceContext.choiceContextData.values)).toContain("featured-app-right");
});

const contract = (name: string) =>
  `  - { name: ${name}, templateId: "${"ab".repeat(32)}:M:T", packageName: app, createdAt: 2025-12-31T00:00:00Z, synchronizer: "a::1220ab" }\n`;
const ownFactories = `admin: dso::1220ab
instruments:
  - { id: Amulet }
  - id: USDX
    factory:
      contract: usdx-factory
      disclosed: first
      debugMembers: always
      context:
        - { key: configuration, contracts: [configuration] }
        - { key: credentials, data: { tag: AV_List, value: [] } }
factory: { contract: factory, debugMembers: never, context: [{ key: rules, contracts: [rules] }] }
contracts:
${["factory", "rules", "usdx-factory", "configuration"].map(contract).join("")}`;
const bare = `participantId: p::1220ab\nsynchronizers: [{ alias: a, id: "a::1220ab" }]\n`;

test("an instrument has a factory and a context of its own, with data beside contracts", () => {
  const { ask, world } = stubOver({ ledger: bare, registry: ownFactories }, "canton-3.5");
  const found = (id: string, excludeDebugFields: boolean) => {
    const instrumentId = { admin: "dso::1220ab", id };
    const body = lookup(account("carol::1220ab"), { instrumentId }, excludeDebugFields);
    const { factoryId, choiceContext } = JSON.parse(ask(path, { body }).text);
    const nameOf = (contractId: string) => world.state.registry.contractNames.get(contractId);
    const disclosed: readonly Record<string, string>[] = choiceContext.disclosedContracts;
    const { values } = choiceContext.choiceContextData;
    return {
      factory: nameOf(factoryId),
      disclosed: disclosed.map(({ contractId = "", debugPackageName }) => [nameOf(contractId), debugPackageName]),
      keys: Object.keys(values),
      credentials: values.credentials,
    };
  };
  expect(found("USDX", true)).toEqual({
    factory: "usdx-factory",
    disclosed: [
      ["usdx-factory", "app"],
      ["configuration", "app"],
    ],
    keys: ["configuration", "credentials"],
    credentials: { tag: "AV_List", value: [] },
  });
  const ofRegistry = {
    factory: "factory",
    disclosed: [
      ["rules", null],
      ["factory", null],
    ],
    keys: ["rules"],
  };
  expect(found("Amulet", false)).toEqual(ofRegistry);
  expect(found("Other", false)).toEqual(ofRegistry);
});

test("allocations of an instrument get its factory too", () => {
  const { ask, world } = stubOver({ ledger: bare, registry: ownFactories }, "canton-3.5");
  const body = {
    choiceArguments: { allocation: { transferLeg: { instrumentId: { admin: "dso::1220ab", id: "USDX" } } } },
  };
  const { factoryId } = JSON.parse(ask("/registry/allocation-instruction/v1/allocation-factory", { body }).text);
  expect(world.state.registry.contractNames.get(factoryId)).toBe("usdx-factory");
});

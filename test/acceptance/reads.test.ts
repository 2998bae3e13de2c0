import { expect, test } from "vitest";
import { alice, asset, bob, dso, execute, type Post, prepare, type Stub, stub } from "./_prepared.ts";

// Updates, completions, contracts and their pages, read from a ledger with some transactions.

const wildcard = (...parties: readonly string[]) => ({
  filtersByParty: Object.fromEntries(parties.map((party) => [party, {}])),
});
const format = (eventFormat: object, transactionShape = "TRANSACTION_SHAPE_ACS_DELTA") => ({
  includeTransactions: { eventFormat, transactionShape },
});
const updateFormat = format(wildcard(alice));
const filteredBy = (identifierFilter: object) => ({
  filtersByParty: { [alice]: { cumulative: [{ identifierFilter }] } },
});
const ofTemplate = (templateId: string) => filteredBy({ TemplateFilter: { value: { templateId } } });
const ofInterface = (interfaceId: string) => filteredBy({ InterfaceFilter: { value: { interfaceId } } });

/** A template without contracts, and an interface. */
const other = `  - { template: "#app:Main:Other", signatories: [owner], observers: [], choices: {} }
  - { template: "#app:Main:View", signatories: [], observers: [], choices: {} }
`;

/** Creates contracts; each transaction takes one offset. */
function filled(count: number, more: Parameters<typeof stub>[0] = {}): Stub {
  const requested = stub(more);
  for (let index = 1; index <= count; index += 1) submit(requested, [asset()], { commandId: `c${index}` });
  return requested;
}

function submit({ post }: Stub, commands: readonly object[], more: object = {}): Post {
  const body = { commands: { commandId: "c", actAs: [alice], commands, ...more } };
  return post("/v2/commands/submit-and-wait-for-transaction", body);
}

const offsetsOf = (elements: readonly object[]) =>
  elements.map((element) => Object(element).update.Transaction.value.offset);
const refused = ({ status, json }: Post) => [status, json.code, json.cause];
const created = ({ json }: Post) => json.transaction.events[0].CreatedEvent;

test("updates are listed between two offsets, in both orders, up to a limit", () => {
  const { post } = filled(5);
  const list = (more: object, query = "") => offsetsOf(post(`/v2/updates${query}`, { updateFormat, ...more }).json);
  expect(list({})).toEqual([1, 2, 3, 4, 5]);
  expect(list({ beginExclusive: 1, endInclusive: 3 })).toEqual([2, 3]);
  expect(list({ beginExclusive: 1, endInclusive: 4, descendingOrder: true })).toEqual([4, 3, 2]);
  expect(list({ beginExclusive: 2, endInclusive: 2 })).toEqual([]);
  expect(list({ beginExclusive: 1 }, "?limit=2")).toEqual([2, 3]);
  expect(list({}, "?limit=0")).toEqual([]);
  expect(post("/v2/updates/flats", { beginExclusive: 4, filter: wildcard(alice) }).json).toHaveLength(1);
});

test("an update that the format does not show is omitted", () => {
  const requested = filled(1, { ledger: other });
  submit(requested, [asset({ watchers: [] })], { commandId: "own" });
  const { post } = requested;
  expect(offsetsOf(post("/v2/updates", { updateFormat: format(wildcard(bob)) }).json)).toEqual([1]);
  expect(post("/v2/updates", { updateFormat: format(wildcard(dso)) }).json).toEqual([]);
  expect(post("/v2/updates", { updateFormat: {} }).json).toEqual([]);
  const filtered = ofTemplate("#app:Main:Other");
  expect(post("/v2/updates", { updateFormat: format(filtered) }).json).toEqual([]);
  // A tree has all events; filters choose only what it shows of them.
  expect(post("/v2/updates/trees", { filter: filtered }).json).toHaveLength(2);
});

test("a command id is shown to its submitters alone", () => {
  const { post } = filled(1);
  const [own, foreign] = [alice, bob].map(
    (party) => post("/v2/updates", { updateFormat: format(wildcard(party)) }).json,
  );
  expect(own[0].update.Transaction.value.commandId).toBe("c1");
  expect(foreign[0].update.Transaction.value.commandId).toBe("");
});

const badRanges: readonly (readonly [more: object, code: string, cause: string])[] = [
  [{ beginExclusive: -1 }, "NEGATIVE_OFFSET", "Offset -1 in begin_exclusive is a negative integer"],
  [{ beginExclusive: 3 }, "OFFSET_AFTER_LEDGER_END", "Begin offset (3) is after ledger end (2)"],
  [{ endInclusive: 3 }, "OFFSET_AFTER_LEDGER_END", "End offset (3) is after ledger end (2)"],
  [{ endInclusive: 0 }, "NON_POSITIVE_OFFSET", "Offset 0 in end_inclusive"],
  [{ beginExclusive: 2, endInclusive: 1 }, "OFFSET_OUT_OF_RANGE", "End offset 1 is before begin offset 2."],
  [{ descendingOrder: true }, "DESCENDING_ORDER_MISSING_END", "end_inclusive is not provided"],
  [{ updateFormat: undefined }, "INVALID_ARGUMENT", "Either filter/verbose or update_format is required."],
  [{ filter: wildcard(alice) }, "INVALID_ARGUMENT", "Both update_format and filter are set."],
  [{ verbose: true }, "INVALID_ARGUMENT", "Both update_format and verbose are set."],
  [{ updateFormat: format({}) }, "INVALID_ARGUMENT", "cannot be empty simultaneously"],
  [{ updateFormat: format(wildcard(alice), "TRANSACTION_SHAPE_UNSPECIFIED") }, "MISSING_FIELD", "transaction_shape"],
];

test.each(badRanges)("%j is refused", (more, code, cause) => {
  const { post } = filled(2);
  expect(refused(post("/v2/updates", { updateFormat, ...more }))).toEqual([400, code, expect.stringContaining(cause)]);
});

const noPair = (kind: string, entity: string) =>
  `The following package-name/${kind} qualified-name pairs do not reference any ${kind}-id uploaded on this participant: [(app,Main:${entity})].`;
const badFormats: readonly (readonly [format: object, status: number, code: string, cause: string])[] = [
  [{}, 400, "INVALID_ARGUMENT", "filtersByParty and filtersForAnyParty cannot be empty simultaneously"],
  [ofTemplate(`${"a".repeat(64)}:Main:Asset`), 400, "INVALID_FIELD", "but expected a package name."],
  [
    ofTemplate("#nothing:Main:Asset"),
    404,
    "PACKAGE_NAMES_NOT_FOUND",
    "The following package names do not match upgradable packages uploaded on this participant: [nothing].",
  ],
  [
    ofTemplate("#app:Main:Nothing"),
    404,
    "NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME",
    noPair("template", "Nothing"),
  ],
  [ofTemplate("#app:Main:View"), 404, "NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME", noPair("template", "View")],
  [
    ofInterface("#app:Main:Asset"),
    404,
    "NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME",
    noPair("interface", "Asset"),
  ],
];

test.each(badFormats)("every operation refuses the event format %j, and none commits", (eventFormat, ...expected) => {
  const requested = filled(1, { ledger: other });
  const { post, world } = requested;
  const [{ updateId } = { updateId: "" }] = world.state.ledger.updates.values();
  const { contractId } = post("/v2/state/active-contracts", {
    activeAtOffset: 1,
    eventFormat: wildcard(alice),
  }).json.at(-1).contractEntry.JsActiveContract.createdEvent;
  const transactionFormat = { eventFormat, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" };
  const formats: readonly object[] = [
    { includeTransactions: transactionFormat },
    { includeTransactions: updateFormat.includeTransactions, includeReassignments: eventFormat },
  ];
  const commands = { commandId: "x", actAs: [alice], commands: [asset()] };
  const requests: readonly (readonly [path: string, body: object])[] = [
    ...formats.flatMap((asked): (readonly [string, object])[] => [
      ["updates", { updateFormat: asked }],
      ["updates/get-updates-page", { updateFormat: asked }],
      ["updates/update-by-id", { updateId, updateFormat: asked }],
      ["updates/update-by-offset", { offset: 1, updateFormat: asked }],
    ]),
    ["updates", { filter: eventFormat }],
    ["updates/trees", { filter: eventFormat }],
    ["updates/transaction-by-id", { updateId, transactionFormat }],
    ["updates/transaction-by-offset", { offset: 1, transactionFormat }],
    ["state/active-contracts", { activeAtOffset: 1, eventFormat }],
    ["state/active-contracts", { activeAtOffset: 1, filter: eventFormat }],
    ["state/active-contracts-page", { eventFormat }],
    ["events/events-by-contract-id", { contractId, eventFormat }],
    ["commands/submit-and-wait-for-transaction", { commands, transactionFormat }],
  ];
  for (const [path, body] of requests) {
    const [status, code, cause] = refused(post(`/v2/${path}`, body));
    expect([path, status, code, cause]).toEqual([path, expected[0], expected[1], expect.stringContaining(expected[2])]);
  }
  const prepared = prepare(requested, asset());
  const executed = execute(requested, prepared, {
    path: "executeAndWaitForTransaction",
    signatures: [],
    more: { transactionFormat },
  });
  expect(refused(executed).slice(0, 2)).toEqual(expected.slice(0, 2));
  expect(world.state.ledger.ledgerEnd).toBe(1n);
});

test("a package whose templates the stub does not know has any template", () => {
  const { post } = stub();
  for (const eventFormat of [ofTemplate("#splice-amulet:Main:Any"), ofInterface("#splice-api-token-any-v9:Main:Any")])
    expect(post("/v2/state/active-contracts", { activeAtOffset: 0, eventFormat }).status).toBe(200);
});

test("more than 200 elements are not a list", () => {
  const { post } = filled(201);
  const body = { updateFormat };
  expect(refused(post("/v2/updates", body))).toEqual([
    413,
    "JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED",
    "The number of matching elements (201) is greater than the node limit (200).",
  ]);
  expect(post("/v2/updates?limit=200", body).json).toHaveLength(200);
  expect(post("/v2/updates?limit=300", body).status).toBe(413);
});

test("pages of updates resume after their last offset, in both orders", () => {
  const requested = filled(5);
  const page = (more: object) =>
    requested.post("/v2/updates/get-updates-page", { updateFormat, maxPageSize: 2, ...more }).json;
  const first = page({});
  expect([offsetsOf(first.updates), first.lowestPageOffsetExclusive, first.highestPageOffsetInclusive]).toEqual([
    [1, 2],
    0,
    2,
  ]);
  const second = page({ pageToken: first.nextPageToken });
  const third = page({ pageToken: second.nextPageToken });
  expect([...offsetsOf(second.updates), ...offsetsOf(third.updates)]).toEqual([3, 4, 5]);
  // Without an end a token is always there, and shows what comes later.
  submit(requested, [asset()], { commandId: "later" });
  expect(offsetsOf(page({ pageToken: third.nextPageToken }).updates)).toEqual([6]);
  const down = { beginOffsetExclusive: 1, endOffsetInclusive: 4, descendingOrder: true };
  const highest = page(down);
  const lowest = page({ ...down, pageToken: highest.nextPageToken });
  expect([offsetsOf(highest.updates), offsetsOf(lowest.updates), lowest.nextPageToken]).toEqual([[4, 3], [2], null]);
  const bad = (more: object) =>
    refused(requested.post("/v2/updates/get-updates-page", { updateFormat, maxPageSize: 2, ...more })).slice(0, 2);
  expect(bad({ pageToken: first.nextPageToken, beginOffsetExclusive: 1 })).toEqual([400, "INVALID_UPDATES_PAGE_TOKEN"]);
  expect(bad({ pageToken: "x" })).toEqual([400, "INVALID_UPDATES_PAGE_TOKEN"]);
  const forged = Buffer.from(
    Buffer.from(first.nextPageToken, "base64url").toString("latin1").replace(/\|2$/, "|x"),
    "latin1",
  );
  expect(bad({ pageToken: forged.toString("base64url") })).toEqual([400, "INVALID_UPDATES_PAGE_TOKEN"]);
  expect(bad({ maxPageSize: 0 })).toEqual([400, "INVALID_ARGUMENT"]);
  expect(bad({ maxPageSize: 2001 })).toEqual([400, "INVALID_ARGUMENT"]);
});

test("pages of active contracts show one offset", () => {
  const requested = filled(3);
  const eventFormat = {
    filtersByParty: {
      [alice]: { cumulative: [{ identifierFilter: { TemplateFilter: { value: { templateId: "#app:Main:Asset" } } } }] },
    },
  };
  const page = (more: object) =>
    requested.post("/v2/state/active-contracts-page", { eventFormat, maxPageSize: 2, ...more });
  const first = page({}).json;
  expect([
    first.activeContracts.length,
    first.activeAtOffset,
    first.activeContracts[0].streamContinuationToken,
  ]).toEqual([2, 3, ""]);
  submit(requested, [asset()], { commandId: "later" });
  const second = page({ pageToken: first.nextPageToken }).json;
  expect([second.activeContracts.length, second.activeAtOffset, second.nextPageToken]).toEqual([1, 3, null]);
  expect(refused(page({ pageToken: first.nextPageToken, activeAtOffset: 2 })).slice(0, 2)).toEqual([
    400,
    "INVALID_ACS_PAGE_TOKEN",
  ]);
  expect(refused(page({ eventFormat: null })).slice(0, 2)).toEqual([400, "MISSING_FIELD"]);
});

test("an update is read by its offset, as update, transaction or tree", () => {
  const requested = filled(2);
  const { post, ask } = requested;
  const { updateId } = post("/v2/updates", { updateFormat }).json[1].update.Transaction.value;
  const byOffset = (path: string, offset: number, more: object) => post(`/v2/updates/${path}`, { offset, ...more });
  expect(byOffset("update-by-offset", 2, { updateFormat }).json.update.Transaction.value.updateId).toBe(updateId);
  const parties = { requestingParties: [alice] };
  expect(byOffset("transaction-by-offset", 2, parties).json.transaction.updateId).toBe(updateId);
  for (const path of [`by-id/${updateId}`, "by-offset/2"]) {
    const { text } = ask(`/v2/updates/transaction-tree-${path}?parties=${encodeURIComponent(alice)}`);
    expect(JSON.parse(text).transaction).toMatchObject({ updateId, eventsById: { 0: { CreatedTreeEvent: {} } } });
  }
  expect(refused(byOffset("update-by-offset", 3, { updateFormat }))).toEqual([
    404,
    "UPDATE_NOT_FOUND",
    "Update not found, or not visible.",
  ]);
  expect(refused(byOffset("update-by-offset", 0, { updateFormat })).slice(0, 2)).toEqual([400, "NON_POSITIVE_OFFSET"]);
  const transactionFormat = updateFormat.includeTransactions;
  for (const more of [{}, { ...parties, transactionFormat }])
    for (const found of [
      byOffset("transaction-by-offset", 2, more),
      post("/v2/updates/transaction-by-id", { updateId, ...more }),
    ])
      expect(refused(found).slice(0, 2)).toEqual([400, "INVALID_ARGUMENT"]);
  expect(ask("/v2/updates/transaction-tree-by-offset/x?parties=a").status).toBe(400);
});

test("completions name the submissions of a user that succeeded, with the submitters that are asked for", () => {
  const requested = filled(2);
  submit(requested, [asset({ owner: bob })], { commandId: "refused" });
  submit(requested, [asset()], { commandId: "both", actAs: [alice, bob], userId: "other" });
  const { post } = requested;
  const listed = (path: string, body: object) =>
    post(`/v2/commands/${path}`, body).json.map((element: object) => {
      const { commandId, offset, actAs, status } = Object(element).completionResponse.Completion.value;
      return [commandId, offset, actAs, status.code];
    });
  expect(listed("completions", { parties: [alice] })).toEqual([
    ["c1", 1, [alice], 0],
    ["c2", 2, [alice], 0],
  ]);
  expect(listed("completions", { parties: [alice], beginExclusive: 1 })).toHaveLength(1);
  expect(listed("completions", { parties: [bob] })).toEqual([]);
  expect(listed("command-completions", { parties: [bob] })).toEqual([["both", 3, [bob], 0]]);
  expect(listed("command-completions", {})).toHaveLength(3);
  const asked = (more: object) => refused(post("/v2/commands/completions", { parties: [alice], ...more }));
  expect(asked({ parties: [] }).slice(0, 2)).toEqual([400, "MISSING_FIELD"]);
  expect(asked({ beginExclusive: 4 }).slice(0, 2)).toEqual([400, "OFFSET_AFTER_LEDGER_END"]);
});

test("a contract and its events are read by its id", () => {
  const requested = stub();
  const { contractId } = created(submit(requested, [asset()]));
  const { post } = requested;
  const events = (more: object = {}) =>
    post("/v2/events/events-by-contract-id", { contractId, eventFormat: wildcard(bob), ...more });
  expect(events().json).toMatchObject({ created: { createdEvent: { contractId, offset: 1 } }, archived: null });
  const contract = () => post("/v2/contracts/contract-by-id", { contractId, queryingParties: [bob] });
  expect(contract().json.createdEvent.contractId).toBe(contractId);
  const archive = {
    ExerciseCommand: { templateId: "#app:Main:Asset", contractId, choice: "Archive", choiceArgument: {} },
  };
  submit(requested, [archive], { commandId: "archive" });
  expect(events().json).toMatchObject({
    created: { createdEvent: { contractId, offset: 1 }, synchronizerId: "a::1220ab" },
    archived: { archivedEvent: { contractId, offset: 2 }, synchronizerId: "a::1220ab" },
  });
  expect(contract().json.createdEvent.contractId).toBe(contractId);
  expect(refused(events({ eventFormat: wildcard(dso) })).slice(0, 2)).toEqual([404, "CONTRACT_EVENTS_NOT_FOUND"]);
  expect(refused(events({ contractId: "00ab" })).slice(0, 2)).toEqual([404, "CONTRACT_EVENTS_NOT_FOUND"]);
  expect(refused(events({ contractId: "x" })).slice(0, 2)).toEqual([400, "INVALID_FIELD"]);
  expect(refused(events({ contractId: "" })).slice(0, 2)).toEqual([400, "MISSING_FIELD"]);
  expect(refused(events({ eventFormat: null })).slice(0, 2)).toEqual([400, "MISSING_FIELD"]);
  expect(refused(post("/v2/contracts/contract-by-id", { contractId, queryingParties: [dso] })).slice(0, 2)).toEqual([
    404,
    "CONTRACT_PAYLOAD_NOT_FOUND",
  ]);
});

test("events of a contract that one transaction creates and archives are not in the delta", () => {
  const requested = stub();
  const both = { CreateAndExerciseCommand: { ...asset().CreateCommand, choice: "Archive", choiceArgument: {} } };
  submit(requested, [both]);
  const [update] = requested.world.state.ledger.updates.values();
  const contractId = update?.events[0]?.contract.contractId;
  const { json } = requested.post("/v2/events/events-by-contract-id", { contractId, eventFormat: wildcard(alice) });
  expect([json.created.createdEvent.acsDelta, json.archived.archivedEvent.offset]).toEqual([false, 1]);
});

test("reading needs rights on each party of the request", () => {
  const { post, ask } = stub({ auth: "user" });
  post("/v2/commands/submit-and-wait", { commandId: "c", actAs: [alice], commands: [asset()] }, "alice");
  const status = (path: string, body: object) => post(path, body, "alice").status;
  const requests: readonly (readonly [path: string, of: (party: string) => object])[] = [
    ["/v2/updates", (party) => ({ updateFormat: format(wildcard(party)) })],
    ["/v2/updates", (party) => ({ filter: wildcard(party) })],
    ["/v2/updates/get-updates-page", (party) => ({ updateFormat: format(wildcard(party)) })],
    ["/v2/updates/update-by-offset", (party) => ({ offset: 1, updateFormat: format(wildcard(party)) })],
    [
      "/v2/updates/update-by-offset",
      (party) => ({ offset: 1, updateFormat: { ...updateFormat, includeReassignments: wildcard(party) } }),
    ],
    ["/v2/state/active-contracts-page", (party) => ({ eventFormat: wildcard(party) })],
    ["/v2/commands/completions", (party) => ({ parties: [party] })],
    ["/v2/commands/command-completions", (party) => ({ parties: [party] })],
  ];
  for (const [path, of] of requests)
    expect([path, status(path, of(alice)), status(path, of(bob))]).toEqual([path, 200, 403]);
  expect(status("/v2/updates", { updateFormat: format({ filtersForAnyParty: {} }) })).toBe(403);
  expect(status("/v2/commands/command-completions", {})).toBe(403);
  expect(status("/v2/commands/completions", { parties: [alice], userId: "bob" })).toBe(403);
  // A request without a format needs no right, and is refused for that.
  expect(status("/v2/updates", {})).toBe(400);
  expect(JSON.parse(ask("/v2/state/latest-pruned-offsets", { token: "alice" }).text)).toEqual({
    participantPrunedUpToInclusive: 0,
    allDivulgedContractsPrunedUpToInclusive: 0,
  });
});

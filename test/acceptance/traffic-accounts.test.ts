import { expect, test } from "vitest";
import { tap } from "../../src/stub/hosting/tap.ts";
import { alice, asset, bob, execute, prepare, type Stub, stub } from "./_prepared.ts";

// Traffic accounts of release 3.6: off by default, on by a member of the ledger fixture. Evidence: OpenAPI description of
// 3.6.1, source and tests of traffic enforcement.

function node(
  settings = "enforce-cost-on-submissions: true",
  profile: "canton-3.5" | "canton-3.6" = "canton-3.6",
): Stub {
  const ledger = `trafficEnforcement: { enabled: true, submissionCost: 100, ${settings}, accounts: [{ id: "${bob}", balance: 250 }] }\n`;
  return stub({ profile, ledger });
}

const balanceOf = ({ ask }: Stub, party: string, token = "any") => {
  const { status, text } = ask(`/v2/traffic/accounts/${encodeURIComponent(party)}`, { token });
  return status === 200 ? JSON.parse(text) : status;
};
let updates = 0;
const add = ({ post }: Stub, accountId: string, balanceDelta: number | string | null, more: object = {}) => {
  updates += 1;
  const { status, json } = post("/v2/traffic/accounts", {
    ...{ accountId, balanceDelta, deduplicationId: `update ${updates}` },
    ...more,
  });
  return status === 200 ? json.response : json;
};
const ofBob = { actAs: [bob] };
const create = (requested: Stub, more: object = ofBob, party = bob) =>
  execute(requested, prepare(requested, asset({ owner: party, watchers: [alice] }), more), { party });

test("a node without traffic enforcement does not know the paths", () => {
  const off = stub({ profile: "canton-3.6" });
  const path = "/v2/traffic/accounts/x";
  const { status, text } = off.ask(path);
  expect([status, JSON.parse(text).errors]).toEqual([404, [`HttpMethod(GET), uri: http://localhost${path}`]]);
  expect(off.reasonOf(path)).toBe(`GET ${path} is not exposed: set trafficEnforcement in the ledger fixture`);
  expect(off.post("/v2/traffic/accounts", {}).status).toBe(404);
  expect(off.post("/v2/traffic/events/prune", {}).status).toBe(404);
  expect(balanceOf(node(undefined, "canton-3.5"), bob)).toBe(404);
});

test("an account has a balance, which updates change once for each deduplication id", () => {
  const requested = node();
  expect(balanceOf(requested, alice)).toEqual({ accountId: alice, balance: 0 });
  expect(balanceOf(requested, bob)).toEqual({ accountId: bob, balance: 250 });
  expect(add(requested, alice, 1000, { deduplicationId: "a" })).toEqual({ accountId: alice, balance: 1000 });
  expect(add(requested, alice, 1000, { deduplicationId: "a" })).toEqual({ accountId: alice, balance: 1000 });
  expect(add(requested, bob, 1, { deduplicationId: "a" })).toEqual({ accountId: bob, balance: 250 });
  expect(add(requested, alice, -400)).toEqual({ accountId: alice, balance: 600 });
  expect(add(requested, alice, null)).toEqual({ accountId: alice, balance: 600 });
  expect(requested.ask("/v2/traffic/accounts", { body: { accountId: alice } }).status).toBe(400);
});

test("an update is applied again after its event is pruned", () => {
  const requested = node();
  const prune = (beforeOrAt: string) => requested.post("/v2/traffic/events/prune", { beforeOrAt }).json;
  add(requested, alice, 10, { deduplicationId: "a" });
  create(requested);
  expect(prune("2025-12-31T23:59:59.999Z")).toEqual({ prunedEventCount: 0 });
  expect(prune("2026-01-01T00:00:00Z")).toEqual({ prunedEventCount: 2 });
  expect(prune("2026-01-01T00:00:00Z")).toEqual({ prunedEventCount: 0 });
  expect(add(requested, alice, 10, { deduplicationId: "a" })).toEqual({ accountId: alice, balance: 20 });
});

test.each([
  ["below zero", -1],
  ["beyond an int64", "9223372036854775807"],
])("an update that takes the credits %s is refused and changes nothing", (_, delta) => {
  const requested = node();
  if (delta !== -1) add(requested, alice, 1);
  const before = balanceOf(requested, alice);
  expect(add(requested, alice, delta)).toMatchObject({ code: "TRAFFIC_UPDATE_OUT_OF_BOUND", errorCategory: 9 });
  expect(balanceOf(requested, alice)).toEqual(before);
});

test("a submission costs its only submitter, and is refused with too little balance", () => {
  const requested = node();
  const { updateId } = create(requested).json;
  expect(balanceOf(requested, bob).balance).toBe(150);
  const updateFormat = {
    includeTransactions: { eventFormat: { filtersForAnyParty: {} }, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" },
  };
  const update = requested.post("/v2/updates/update-by-id", { updateId, updateFormat }).json;
  expect(update.update.Transaction.value.paidTrafficCost).toBe(100);
  const ofAlice = { filtersByParty: { [alice]: {} } };
  const asAlice = { includeTransactions: { ...updateFormat.includeTransactions, eventFormat: ofAlice } };
  const seen = requested.post("/v2/updates", { updateFormat: asAlice }).json;
  expect(seen.map((one: object) => Object(one).update.Transaction.value.paidTrafficCost)).toEqual([null]);
  create(requested);
  const refused = {
    code: "TRAFFIC_ACCOUNT_VALIDATION_FAILED",
    cause: `Insufficient balance (50) for actual traffic cost (100) for account ${bob}`,
    grpcCodeValue: 9,
  };
  expect(prepare(requested, asset({ owner: bob }), ofBob)).toMatchObject({ status: 400, json: refused });
  const estimateTrafficCost = { disabled: true };
  expect(create(requested, { ...ofBob, estimateTrafficCost })).toMatchObject({ status: 400, json: refused });
  expect(
    requested.post("/v2/commands/submit-and-wait", { commands: [asset({ owner: bob })], commandId: "own", ...ofBob }),
  ).toMatchObject({ status: 400, json: refused });
  expect(balanceOf(requested, bob).balance).toBe(50);
});

test("without enforced costs a balance becomes negative", () => {
  const requested = node("enforce-cost-on-submissions: false");
  for (const left of [150, 50, -50]) {
    create(requested);
    expect(balanceOf(requested, bob).balance).toBe(left);
  }
});

test("submissions of several parties cost nothing, or are refused", () => {
  const both = { actAs: [alice, bob] };
  const submit = (requested: Stub) =>
    requested.post("/v2/commands/submit-and-wait", { commands: [asset({ owner: bob })], commandId: "both", ...both });
  const requested = node();
  expect(submit(requested).status).toBe(200);
  expect([alice, bob].map((party) => balanceOf(requested, party).balance)).toEqual([0, 250]);
  expect(submit(node("reject-multi-party-submissions: true")).json).toMatchObject({
    code: "TRAFFIC_MULTI_PARTY_SUBMISSION_REJECTED",
    cause: `Traffic enforcement rejected submission with non-singleton actAs parties: ${alice}, ${bob}`,
  });
});

test("the party of the participant is debited and never refused", () => {
  const own = "participant1::1220ab";
  const requested = stub({
    profile: "canton-3.6",
    ledger: "trafficEnforcement: { enabled: true, submissionCost: 100, enforce-cost-on-submissions: true }\n",
  });
  requested.post("/v2/parties", { partyIdHint: "participant1" });
  const submitted = requested.post("/v2/commands/submit-and-wait", {
    ...{ commands: [asset({ owner: own })], commandId: "own", actAs: [own] },
  });
  expect(submitted.json).toMatchObject({ updateId: expect.any(String) });
  expect(balanceOf(requested, own).balance).toBe(-100);
});

test("only who may act as a party reads its account, and only an administrator updates it", () => {
  const ledger = `trafficEnforcement: { enabled: true, submissionCost: 1 }\n`;
  const requested = stub({ profile: "canton-3.6", auth: "user", ledger });
  expect(balanceOf(requested, alice, "alice")).toMatchObject({ balance: 0 });
  expect(balanceOf(requested, bob, "alice")).toBe(403);
  const update = { accountId: alice, balanceDelta: 1, deduplicationId: "a" };
  expect(requested.post("/v2/traffic/accounts", update, "alice").status).toBe(403);
  const prune = { beforeOrAt: "2026-01-01T00:00:00Z" };
  expect(requested.post("/v2/traffic/events/prune", prune, "alice").status).toBe(403);
});

test("a tap costs no traffic of a node that enforces it", () => {
  const requested = node();
  expect(tap(requested.world, { party: bob, amount: "5", instrument: undefined }).type).toBe("done");
  expect(balanceOf(requested, bob).balance).toBe(250);
});

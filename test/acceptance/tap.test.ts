import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { createUnderstudy, startUnderstudy, type Understudy } from "../../src/index.ts";
import { tap } from "../../src/stub/hosting/tap.ts";
import { sqliteUrl } from "../stores/_replicas.ts";
import { operator, alice as spliceAlice, dso as spliceDso, spliceStub } from "./_splice.ts";

// Tokens that a test gives to a party, by the library and by the control API.

const pkg = "6d1798ffd7e60d49c64fc3ec35f8f814f9aecbcc96cea1056c6973d9c59d7cf0";
const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };

function partyOf({ world }: Understudy, hint: string): string {
  const id = world.parties.find((party) => party.id.startsWith(`${hint}::`))?.id;
  if (id === undefined) throw new Error(`no party ${hint}`);
  return id;
}

async function jsonOf(response: Promise<Response>): Promise<ReturnType<typeof JSON.parse>> {
  return JSON.parse(await (await response).text());
}

const post = (stub: Understudy, path: string, body: object) =>
  jsonOf(stub.fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));

const eventFormat = (party: string) => ({ filtersByParty: { [party]: {} }, verbose: true });
const updateFormat = (party: string) => ({
  includeTransactions: { eventFormat: eventFormat(party), transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" },
});

/** The contract ids that a party sees as active, at the end of the ledger. */
async function activeOf(stub: Understudy, party: string, base = ""): Promise<readonly string[]> {
  const { offset } = await jsonOf(stub.fetch(`${base}/v2/state/ledger-end`, { headers }));
  const asked = { activeAtOffset: offset, eventFormat: eventFormat(party) };
  const found: readonly ReturnType<typeof JSON.parse>[] = await post(stub, `${base}/v2/state/active-contracts`, asked);
  return found.map((entry) => entry.contractEntry.JsActiveContract.createdEvent.contractId);
}

test("a tap is an update with a holding of the party, the same for the same seed", async () => {
  const [stub, other] = [0, 1].map(() => createUnderstudy({ profile: "canton-3.5" }));
  if (stub === undefined || other === undefined) throw new Error("no stub");
  const alice = partyOf(stub, "alice");
  const { offset } = await jsonOf(stub.fetch("/v2/state/ledger-end", { headers }));
  const { contractId, updateId } = stub.tap(alice, "100.5");
  expect(other.tap(alice, "100.5")).toEqual({ contractId, updateId });
  expect(stub.tap(alice, "100.5").contractId).not.toBe(contractId);
  expect(stub.world.holdings).toContainEqual({
    contractId,
    owner: alice,
    instrumentId: "Amulet",
    amount: "100.5000000000",
    lockedFor: null,
  });
  expect(await activeOf(stub, alice)).toContain(contractId);
  const updates = await post(stub, "/v2/updates", {
    beginExclusive: offset,
    endInclusive: offset + 1,
    updateFormat: updateFormat(alice),
  });
  expect(updates[0].update.Transaction.value).toMatchObject({
    updateId,
    offset: offset + 1,
    commandId: "",
    events: [{ CreatedEvent: { contractId, templateId: `${pkg}:Splice.Amulet:Amulet` } }],
  });
  const completions = { beginExclusive: offset, parties: [alice] };
  expect(await post(stub, "/v2/commands/completions", { ...completions, userId: "any" })).not.toContainEqual(
    expect.objectContaining({ completionResponse: expect.objectContaining({ Completion: expect.anything() }) }),
  );
});

test("streams send what a tap creates, by the library and by the control API", async () => {
  const stub = await startUnderstudy({ profile: "canton-3.5" });
  onTestFinished(() => stub.close());
  const alice = partyOf(stub, "alice");
  const { offset } = await jsonOf(fetch(`${stub.ledgerUrl}/v2/state/ledger-end`, { headers }));
  const socket = new WebSocket(`${stub.ledgerUrl.replace("http", "ws")}/v2/updates`, ["jwt.token.any", "daml.ws.auth"]);
  onTestFinished(() => socket.terminate());
  const received = Promise.withResolvers<readonly string[]>();
  const ids: string[] = [];
  socket.on("error", received.reject);
  socket.on("message", (data) => {
    const { Transaction } = JSON.parse(String(data)).update;
    if (Transaction !== undefined) ids.push(Transaction.value.updateId);
    if (ids.length === 2) received.resolve(ids);
  });
  await new Promise((resolve) => socket.once("open", resolve));
  socket.send(JSON.stringify({ beginExclusive: offset, updateFormat: updateFormat(alice) }));
  const first = stub.tap(alice, "1");
  const body = JSON.stringify({ party: alice, amount: "2", instrument: "Amulet" });
  const second = await jsonOf(fetch(`${stub.ledgerUrl}/__understudy/worlds/default/tap`, { method: "POST", body }));
  expect(await received.promise).toEqual([first.updateId, second.updateId]);
});

test("a tap is on the participant that hosts the party, whichever participant is addressed", async () => {
  await using stub = await startUnderstudy({ scenario: "scenarios/localnet.arazzo.yaml" });
  const [alice, provider] = [partyOf(stub, "alice"), partyOf(stub, "app_provider_localnet-localparty-1")];
  const { contractId } = stub.tap(provider, "7");
  expect(await activeOf(stub, provider, "/w/appProvider")).toContain(contractId);
  expect(stub.world.holdings.map((holding) => holding.contractId)).not.toContain(contractId);
  const body = JSON.stringify({ party: alice, amount: "7" });
  const there = await jsonOf(fetch(`${stub.ledgerUrl}/__understudy/worlds/appProvider/tap`, { method: "POST", body }));
  expect(await activeOf(stub, alice)).toContain(there.contractId);
});

test("a tap names one of several instruments", () => {
  const stub = createUnderstudy({ scenario: "scenarios/paused-instrument.arazzo.yaml" });
  const alice = partyOf(stub, "alice");
  expect(() => stub.tap(alice, "1")).toThrow("The registry has several instruments. Name one. Use EURX or USDX.");
  for (const instrument of ["USDX", "EURX"]) {
    const { contractId } = stub.tap(alice, "1", { instrument });
    expect(stub.world.holdings).toContainEqual(expect.objectContaining({ contractId, instrumentId: instrument }));
  }
});

const noInstruments = {
  files: {
    "ledger.yaml": `participantId: participant::1220ab\nsynchronizers: [{ alias: a, id: "a::1220ab" }]\nparties: [{ id: "alice::1220ab" }]\n`,
  },
  scenario: "ledger.yaml",
};
const dso = "DSO::12202e5e76f07057441adbf9d11945c7101c42c1d321fc103f6f1f9a3836deda2c2a";

test.each([
  ["a hint of a party", { party: "alice", amount: "1" }, 404, 'hosts the party "alice". Did you mean "alice::1220'],
  ["a party elsewhere", { party: dso, amount: "1" }, 404, "No participant of this world hosts the party"],
  ["an instrument", { party: "ALICE", amount: "1", instrument: "Amulett" }, 404, 'Did you mean "Amulet"?'],
  ["zero", { party: "ALICE", amount: "0" }, 400, 'amount "0" is not a positive decimal below 10^28'],
  ["a negative amount", { party: "ALICE", amount: "-1" }, 400, 'amount "-1" is not'],
  ["eleven digits after the point", { party: "ALICE", amount: "0.00000000001" }, 400, 'Use a text such as "100.5".'],
  ["too much", { party: "ALICE", amount: `1${"0".repeat(28)}` }, 400, "below 10^28"],
  ["a number", { party: "ALICE", amount: 5 }, 400, '"amount" is not a text. Send {"party"'],
  ["nothing", {}, 400, '"party" is missing.'],
  ["a number as instrument", { party: "ALICE", amount: "1", instrument: 5 }, 400, '"instrument" is not a text.'],
  ["an unknown member", { party: "ALICE", amount: "1", instrumentId: "x" }, 400, 'Did you mean "instrument"?'],
])("a tap with %s is refused, and changes nothing", async (_what, given, status, message) => {
  await using stub = await startUnderstudy({ localnet: true, port: 0, clock: "frozen" });
  const before = stub.world;
  const body = JSON.stringify(given).replace("ALICE", partyOf(stub, "alice"));
  const response = await fetch(`${stub.ledgerUrl}/__understudy/worlds/default/tap`, { method: "POST", body });
  expect([response.status, await response.json()]).toEqual([status, { error: expect.stringContaining(message) }]);
  expect(stub.world).toEqual(before);
});

test("the library throws the same problems", () => {
  const stub = createUnderstudy({ profile: "canton-3.5" });
  const alice = partyOf(stub, "alice");
  expect(() => stub.tap("alice", "1")).toThrow(RangeError);
  expect(() => stub.tap(alice, "1", { instrument: "Amulett" })).toThrow('Did you mean "Amulet"?');
  expect(() => Reflect.apply(stub.tap, stub, [alice, 5])).toThrow('understudy.tap("PARTY", "100.5"');
  expect(() => Reflect.apply(stub.tap, stub, [alice, "5", null])).toThrow("received ");
  const bare = createUnderstudy({ ...noInstruments, profile: "canton-3.5" });
  expect(() => bare.tap("alice::1220ab", "1")).toThrow("The registry of this world has no instruments.");
});

test("a store keeps a tap", async () => {
  const store = sqliteUrl();
  const first = await startUnderstudy({ store, profile: "canton-3.5" });
  await first.fetch("/v2/version");
  const { contractId } = first.tap(partyOf(first, "alice"), "100");
  await first.close();
  await using again = await startUnderstudy({ store, profile: "canton-3.5" });
  await again.fetch("/v2/version");
  expect(again.world.holdings.map((holding) => holding.contractId)).toContain(contractId);
});

test("a tap gives the operator what it accepts a proposal with", () => {
  const stub = spliceStub();
  const template = "#splice-wallet:Splice.Wallet.TransferPreapproval:TransferPreapprovalProposal";
  const { context } = {
    context: { openMiningRound: stub.idOf("round"), issuingMiningRounds: [], validatorRights: [] },
  };
  const send = {
    ...{ context: { context: { ...context, featuredAppRight: null }, amuletRules: stub.idOf("rules") } },
    ...{ inputs: stub.inputs(operator), amount: "1000", sender: operator, description: null },
  };
  stub.exercise(stub.idOf("preapproval-bob"), "TransferPreapproval_Send", send, [operator]);
  stub.create(template, { receiver: spliceAlice, provider: operator, expectedDso: spliceDso }, [spliceAlice]);
  const { ledgerEnd } = stub.world.state.ledger;
  expect(tap(stub.world, { party: operator, amount: "500", instrument: undefined }).type).toBe("done");
  expect(stub.world.state.ledger.ledgerEnd).toBe(ledgerEnd + 2n);
  expect(stub.balance(operator)).toEqual(["320.0000000000"]);
});

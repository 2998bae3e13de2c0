import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createUnderstudy, startUnderstudy, type Understudy } from "../../src/index.ts";

const headers = { Authorization: "Bearer any" };
const rights = { kind: { ParticipantAdmin: { value: {} } } };
const granted = async (understudy: ReturnType<typeof createUnderstudy>) => {
  const body = JSON.stringify({ userId: "alice", rights: [rights] });
  const response = await understudy.fetch("/v2/users/alice/rights", { method: "POST", headers, body });
  return JSON.parse(await response.text()).newlyGrantedRights.length;
};

test("forks the world as it is; neither sees what happens to the other", async () => {
  const understudy = createUnderstudy();
  expect(await granted(understudy)).toBe(1);
  const fork = understudy.fork();
  expect(fork.ledgerUrl).toBe(`${understudy.ledgerUrl}/w/fork-1`);
  expect(await granted(fork)).toBe(0);
  understudy.clock.advance("PT1M");
  expect(understudy.clock.now.getTime() - fork.clock.now.getTime()).toBe(60_000);
  expect([understudy.journal.length, fork.journal.length]).toEqual([1, 1]);
  expect((await fork.fetch(`${fork.ledgerUrl}/v2/idps`, { headers })).status).toBe(200);
  expect([understudy.journal.length, fork.journal.length]).toEqual([1, 2]);
});

test("goes back to where it began, and forgets what was asked", async () => {
  const understudy = createUnderstudy();
  const began = understudy.clock.now;
  await granted(understudy);
  understudy.clock.advance("PT30S");
  understudy.reset();
  expect([understudy.clock.now, understudy.journal]).toEqual([began, []]);
  expect(await granted(understudy)).toBe(1);
});

test("ends a fork alone, and a server with all its worlds", async () => {
  const understudy = await startUnderstudy();
  onTestFinished(() => understudy.close());
  const fork = understudy.fork();
  expect((await fetch(`${fork.ledgerUrl}/v2/idps`, { headers })).status).toBe(200);
  await fork.close();
  await expect(fork.fetch("/v2/idps", { headers })).rejects.toThrow("this stub is closed");
  expect(() => fork.clock.now).toThrow("this stub is closed");
  expect((await fetch(`${fork.ledgerUrl}/v2/idps`, { headers })).status).toBe(404);
  expect((await fetch(`${understudy.ledgerUrl}/__understudy/worlds`)).status).toBe(200);
  await understudy.close();
  await expect(fetch(`${understudy.ledgerUrl}/v2/idps`, { headers })).rejects.toThrow("fetch failed");
});

test("plays the releases, the seed and the authentication that it is asked for", async () => {
  const refusal = async (registryProfile: string) => {
    const understudy = createUnderstudy({ profile: "spec", registryProfile });
    const path = "/registry/transfer-instruction/v2/transfer-factory";
    return (await understudy.fetch(path, { method: "POST", headers: json, body: "{" })).headers.get("content-type");
  };
  expect(await refusal("spec")).toBe("application/json");
  expect(await refusal("splice-0.7")).toBe("text/plain; charset=UTF-8");
  const status = async (authentication: "none" | "bearer" | "user") =>
    (await createUnderstudy({ authentication }).fetch("/v2/idps", { headers: { Authorization: "Bearer x" } })).status;
  expect([await status("none"), await status("bearer"), await status("user")]).toEqual([200, 200, 403]);
});

test.each([
  [{ seed: -1 }, "the seed -1 is no whole number from 0 on"],
  [{ seed: 1.5 }, "the seed 1.5 is no whole number from 0 on"],
  [{ profile: "canton-9" }, 'there is no ledger profile "canton-9"'],
  [{ registryProfile: "splice-9" }, 'there is no registry profile "splice-9"'],
  [{ scenario: "none.yaml" }, "none.yaml:1: there is no such file"],
  [{ limits: { worldMax: 3 } }, 'there is no limit "worldMax". Did you mean "worldsMax"?'],
  [{ limits: { worldsMax: 0 } }, "the limit worldsMax 0 is out of range; it is from 1 to 1000000"],
  [{ limits: 3 }, "the limits 3 are no object of numbers by name"],
  [{ profil: "canton-3.5" }, 'there is no setting "profil". Did you mean "profile"?'],
  [{ clock: "frozn" }, 'there is no clock "frozn". Did you mean "frozen"?'],
  [{ authentication: null }, "there is no authentication null. Known are: none, bearer, user, jwt."],
  [{ startAt: "2026-01-01" }, 'the startAt "2026-01-01" is no Date of a moment'],
  [{ startAt: new Date("soon") }, "the startAt Invalid Date is no Date of a moment"],
  [{ verifySignatures: "yes" }, 'the verifySignatures "yes" is neither true nor false'],
  [{ profile: 3.5 }, "the profile 3.5 is no text, or an empty one"],
  [{ files: "a.yaml", scenario: "a.yaml" }, 'the files "a.yaml" is no object of texts by path'],
  [{ scenario: 5 }, "the scenario 5 is neither a path nor a URL"],
])("refuses %j", (options, message) => {
  // As a program without types gives them.
  expect(() => Reflect.apply(createUnderstudy, undefined, [options])).toThrow(message);
});

test.each(["7575", 70_000, -1, 1.5])("refuses to listen on the port %j", async (port) => {
  const started = Reflect.apply(startUnderstudy, undefined, [{ port }]);
  await expect(started).rejects.toThrow("is no whole number from 0 to 65535");
});

test("says what cannot be done", () => {
  const understudy = createUnderstudy();
  expect(() => understudy.clock.advance("soon")).toThrow('"soon" is no duration such as "PT30S"');
  expect(() => understudy.reassign("amulet-rules", { to: "synchronizer-a" })).toThrow("assigned to synchronizer-a");
  expect(() => understudy.reassign("amulet-rules", { to: "synchronizer-b", for: "soon" })).toThrow("is no duration");
  const window = understudy.reassign("amulet-rules", { to: "synchronizer-b" });
  expect(() => understudy.reassign("amulet-rules", { to: "synchronizer-b" })).toThrow("is being reassigned already");
  window.complete();
  expect(() => window.complete()).toThrow("is not being reassigned");
});

const factory = "external-party-amulet-rules";
const json = { "Content-Type": "application/json" };
const lookupPath = "/registry/transfer-instruction/v2/transfer-factory";
const account = (owner: string) => ({ owner, provider: null, id: "" });
const transfer = {
  sender: account("alice::1220ab"),
  receiver: account("carol::1220ab"),
  amount: "1.0",
  instrumentId: { admin: "DSO::1220ab", id: "Amulet" },
  requestedAt: "2026-01-01T00:00:00Z",
  executeBefore: "2026-01-02T00:00:00Z",
  inputHoldingCids: [],
  meta: { values: {} },
};
const extraArgs = { context: { values: {} }, meta: { values: {} } };
const lookupBody = JSON.stringify({ choiceArguments: { transfer, actors: ["alice::1220ab"], extraArgs } });
const lookup = async (understudy: Understudy) =>
  (await understudy.fetch(lookupPath, { method: "POST", headers: json, body: lookupBody })).status;

test("reassigns a contract until it is completed, until the block ends, or until its time is over", async () => {
  const understudy = createUnderstudy();
  {
    using _window = understudy.reassign(factory, { to: "synchronizer-b" });
    expect(await lookup(understudy)).toBe(409);
  }
  expect(await lookup(understudy)).toBe(200);
  using completed = understudy.reassign(factory, { to: "synchronizer-a" });
  completed.complete();
  expect(await lookup(understudy)).toBe(200);
  understudy.reassign(factory, { to: "synchronizer-b", for: "PT12S" });
  understudy.clock.advance("PT11.999S");
  expect(await lookup(understudy)).toBe(409);
  understudy.clock.advance("PT0.001S");
  expect(await lookup(understudy)).toBe(200);
});

test("ends a window by hand that would have ended by itself, and lets the next one be", async () => {
  const understudy = createUnderstudy();
  understudy.reassign(factory, { to: "synchronizer-b", for: "PT10S" }).complete();
  understudy.clock.advance("PT5S");
  understudy.reassign(factory, { to: "synchronizer-a", for: "PT10S" });
  understudy.clock.advance("PT5S");
  expect(await lookup(understudy)).toBe(409);
  understudy.clock.advance("PT5S");
  expect(await lookup(understudy)).toBe(200);
});

test("the end of a block leaves a window alone that is not its own", async () => {
  const understudy = createUnderstudy();
  {
    using first = understudy.reassign(factory, { to: "synchronizer-b", for: "PT10S" });
    understudy.clock.advance("PT10S");
    understudy.reassign(factory, { to: "synchronizer-a" });
    expect(() => first.complete()).toThrow("this window is over");
  }
  expect(await lookup(understudy)).toBe(409);
});

const listStatus = async (understudy: Understudy, query = "") =>
  (await understudy.fetch(`/v2/users${query}`, { headers })).status;

test("plans faults for the calls to come, the newest first, and forgets them with a reset", async () => {
  const understudy = createUnderstudy();
  expect(await listStatus(understudy)).toBe(200);
  understudy.fault("getV2Users", { instead: { status: 503 }, nth: 2, times: 2 });
  const statuses = [];
  for (let call = 0; call < 4; call += 1) statuses.push(await listStatus(understudy));
  expect(statuses).toEqual([200, 503, 503, 200]);
  understudy.fault("getV2Users", { instead: { status: 502 }, match: { query: { pageSize: "1" } } });
  understudy.fault("getV2Users", { instead: { status: 500 } });
  expect([await listStatus(understudy), await listStatus(understudy, "?pageSize=1")]).toEqual([500, 502]);
  understudy.fault("getV2Users", { instead: { status: 500 } });
  understudy.reset();
  expect(await listStatus(understudy)).toBe(200);
  understudy.fault("getV2Users", { instead: { reset: true } });
  await expect(listStatus(understudy)).rejects.toThrow("fetch failed: the response was reset");
});

test("plans what happens at a time or before a call from now on, beside the scenario's own plan", async () => {
  const understudy = createUnderstudy();
  const isDeactivated = async () =>
    JSON.parse(await (await understudy.fetch("/v2/users/alice", { headers })).text()).user.isDeactivated;
  understudy.clock.advance("PT1M");
  understudy.plan({ at: "PT30S", deactivateUser: "alice" });
  expect(await isDeactivated()).toBe(false);
  understudy.clock.advance("PT30S");
  expect(await isDeactivated()).toBe(true);
  expect(await lookup(understudy)).toBe(200);
  understudy.plan({
    on: "getTransferFactory",
    nth: 2,
    reassign: { contract: factory, to: "synchronizer-b", forCalls: 1 },
  });
  expect([await lookup(understudy), await lookup(understudy), await lookup(understudy)]).toEqual([200, 409, 200]);
});

test("says all that is wrong with a plan, and plans nothing of it", async () => {
  const understudy = createUnderstudy();
  const wrong = () =>
    understudy.plan(
      { on: "getV2Users", instead: { status: 503 } },
      { at: "PT1S", deactivateUser: "alise" },
      { at: "PT1S", connect: "nowhere" },
    );
  expect(wrong).toThrow('names "alise", which is not there. Did you mean "alice"?');
  expect(wrong).toThrow('names the synchronizer "nowhere", which the ledger does not have');
  // @ts-expect-error A misspelt operation is an error of the compiler too.
  expect(() => understudy.fault("getV2User", { instead: { status: 503 } })).toThrow('Did you mean "getV2Users"?');
  expect(() => understudy.fault("getV2Users", { instead: {} })).toThrow("but not what is answered");
  expect(await listStatus(understudy)).toBe(200);
});

test("reads scenario and fixtures from texts that it is given, or from the file that a URL names", async () => {
  const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  const files = {
    "mine/a.arazzo.yaml": text("scenarios/quickstart.arazzo.yaml").replaceAll("../fixtures/", "../theirs/"),
    "theirs/ledgers/two-synchronizers.yaml": text("fixtures/ledgers/two-synchronizers.yaml").replaceAll(
      "alice",
      "alma",
    ),
    "theirs/registries/amulet.yaml": text("fixtures/registries/amulet.yaml"),
  };
  const understudy = createUnderstudy({ scenario: "mine/a.arazzo.yaml", files });
  expect((await understudy.fetch("/v2/users/alma", { headers })).status).toBe(200);
  expect(() => createUnderstudy({ scenario: "mine/b.yaml", files })).toThrow("mine/b.yaml:1: there is no such file");
  expect(() => createUnderstudy({ files })).toThrow("there are files, but no scenario");
  const url = new URL("../../scenarios/rights.arazzo.yaml", import.meta.url);
  expect(createUnderstudy({ scenario: url }).world["scenario"]).toBe("rights");
  expect(() => createUnderstudy({ scenario: new URL("https://example.com/a.yaml") })).toThrow("is no file");
});

test("a plan is bounded, and what of it is over counts no more", async () => {
  const understudy = createUnderstudy({ authentication: "none" });
  const entries = Array.from({ length: 9_999 }, () => ({ at: "PT1H", deactivateUser: "alice" }));
  understudy.plan(...entries);
  const fault = () => understudy.fault("getV2Users", { instead: { status: 503 } });
  const planCall = () => understudy.plan({ on: "getV2Users", deactivateUser: "alice" });
  for (const plan of [fault, planCall, fault]) {
    plan();
    expect(plan).toThrow("the plan would have 10001 events ahead, and 10000 is the limit");
    await listStatus(understudy);
  }
  understudy.clock.advance("PT1H");
  understudy.plan(...entries);
  expect(fault).not.toThrow();
});

test("numbers that no double holds reach the response as they are, and what is no entry is told", async () => {
  const understudy = createUnderstudy();
  understudy.fault("getV2Users", { instead: { status: 503, body: { offset: 9007199254740993n } } });
  expect(await (await understudy.fetch("/v2/users", { headers })).text()).toBe('{"offset":9007199254740993}');
  expect(() => Reflect.apply(understudy.plan, understudy, [undefined])).toThrow("plan.0 must be object");
});

test("a response whose status has no body comes without one", async () => {
  const understudy = createUnderstudy();
  understudy.fault("getV2Users", { instead: { status: 204, body: { users: [] } } });
  const response = await understudy.fetch("/v2/users", { headers });
  expect([response.status, await response.text()]).toEqual([204, ""]);
});

test("a client that gives up is told so at once, and one that has given up asks nothing", async () => {
  const understudy = createUnderstudy();
  understudy.fault("getV2Users", { after: { delay: "PT1S" } });
  const patience = new AbortController();
  const response = understudy.fetch("/v2/users", { headers, signal: patience.signal });
  patience.abort(new Error("no patience"));
  await expect(response).rejects.toThrow("no patience");
  await expect(understudy.fetch("/v2/users", { headers, signal: patience.signal })).rejects.toThrow("no patience");
  expect(understudy.journal).toEqual([]);
});

test("what was asked before a fork may excuse what its application does", async () => {
  const changedBlob = async (understudy: Understudy) => {
    const response = await understudy.fetch(lookupPath, { method: "POST", headers: json, body: lookupBody });
    const [contract] = JSON.parse(await response.text()).choiceContext.disclosedContracts;
    const body = JSON.stringify({ disclosedContracts: [{ ...contract, createdEventBlob: "YQ==" }] });
    await understudy.fetch("/v2/interactive-submission/prepare", { method: "POST", headers, body });
    return understudy.clientRules().find(({ rule }) => rule === "blobs-forwarded-unchanged")?.severity;
  };
  const origin = createUnderstudy();
  const unrequested = origin.fork().fork();
  await listStatus(origin);
  expect([await changedBlob(unrequested), await changedBlob(origin.fork().fork())]).toEqual(["error", "warning"]);
});

test("the journal tells the operation, the moment of virtual time, and what nobody expected", async () => {
  const understudy = createUnderstudy();
  await listStatus(understudy);
  understudy.clock.advance("PT1M");
  await understudy.fetch("/v2/userz");
  await understudy.fetch("/v2/idps", { method: "PUT" });
  expect(
    understudy.journal.map(({ operationId, virtualAt, unexpected }) => [operationId, virtualAt, unexpected]),
  ).toEqual([
    ["getV2Users", "2026-01-01T00:05:00.000Z", undefined],
    [undefined, "2026-01-01T00:06:00.000Z", "unknown-path"],
    [undefined, "2026-01-01T00:06:00.000Z", "wrong-method"],
  ]);
});

test("five hundred forks at once, each seeing its own changes alone", async () => {
  await using understudy = await startUnderstudy();
  const numbers = Array.from({ length: 500 }, (_, index) => index);
  const seen = await Promise.all(
    numbers.map(async (number) => {
      const fork = understudy.fork();
      const ask = (path: string, init: RequestInit = {}) =>
        fetch(`${fork.ledgerUrl}${path}`, { ...init, headers: { ...headers, ...json } });
      const user = { id: `user-${number}`, primaryParty: "", isDeactivated: false, identityProviderId: "" };
      await ask("/v2/users", { method: "POST", body: JSON.stringify({ user, rights: [] }) });
      const { users } = JSON.parse(await (await ask("/v2/users?pageSize=1000")).text());
      const made = users.map(({ id }: { id: string }) => id).filter((id: string) => id.startsWith("user-"));
      const { length } = fork.journal;
      await fork.close();
      return { made, length };
    }),
  );
  expect(seen).toEqual(numbers.map((number) => ({ made: [`user-${number}`], length: 2 })));
  expect(understudy.journal).toEqual([]);
});

import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { assertReceived } from "../../src/entrypoints/testing/node-test.ts";
import { check, createUnderstudy, type RegistryProfile, startUnderstudy, type Understudy } from "../../src/index.ts";
import { transferLookup } from "../_transfer.ts";

const headers = { Authorization: "Bearer any" };
const rights = { kind: { ParticipantAdmin: { value: {} } } };
const granted = async (understudy: ReturnType<typeof createUnderstudy>) => {
  const body = JSON.stringify({ userId: "alice", rights: [rights] });
  const response = await understudy.fetch("/v2/users/alice/rights", { method: "POST", headers, body });
  return JSON.parse(await response.text()).newlyGrantedRights.length;
};

test("a fork has the same state, and later changes stay in one world", async () => {
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

test("a request of a page of another origin is refused and in the journal, and served with the option cors", async () => {
  await using understudy = await startUnderstudy();
  const headers = { Origin: "http://localhost:3000", Authorization: "Bearer any" };
  const world = understudy.fork();
  expect((await fetch(`${world.ledgerUrl}/v2/users`, { headers })).status).toBe(403);
  expect([understudy.journal, world.journal]).toMatchObject([
    [],
    [{ unexpected: "refused", request: { method: "GET", target: "/v2/users" }, response: { status: 403 } }],
  ]);
  await using open = await startUnderstudy({ cors: true });
  const response = await fetch(`${open.ledgerUrl}/v2/users`, { headers });
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  const controlled = await fetch(`${open.ledgerUrl}/__understudy/worlds`, { method: "POST", headers });
  expect(controlled.status).toBe(403);
});

test("reset restores the initial state and clears the journal", async () => {
  const understudy = createUnderstudy();
  const began = understudy.clock.now;
  await granted(understudy);
  understudy.clock.advance("PT30S");
  understudy.reset();
  expect([understudy.clock.now, understudy.journal]).toEqual([began, []]);
  expect(await granted(understudy)).toBe(1);
});

test("closing a fork closes one world; closing the original closes all of them", async () => {
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

test("uses the release and the authentication mode of its options", async () => {
  const refusal = async (registryProfile: RegistryProfile) => {
    const understudy = createUnderstudy({ profile: "spec", registryProfile });
    const path = "/registry/transfer-instruction/v2/transfer-factory";
    return (await understudy.fetch(path, { method: "POST", headers: json, body: "{" })).headers.get("content-type");
  };
  expect(await refusal("spec")).toBe("application/json");
  expect(await refusal("splice-0.7")).toBe("text/plain; charset=UTF-8");
  const status = async (auth: "none" | "bearer" | "user") =>
    (await createUnderstudy({ auth }).fetch("/v2/idps", { headers: { Authorization: "Bearer x" } })).status;
  expect([await status("none"), await status("bearer"), await status("user")]).toEqual([200, 200, 403]);
});

test.each([
  [{ seed: -1 }, "option seed: -1 is not a valid seed. Use an integer from 0."],
  [{ seed: 1.5 }, "option seed: 1.5 is not a valid seed. Use an integer from 0."],
  [{ profile: "canton-9" }, 'unknown ledger profile "canton-9"'],
  [{ registryProfile: "splice-9" }, 'unknown registry profile "splice-9"'],
  [{ scenario: "none.yaml" }, "File not found: none.yaml"],
  [{ limits: { worldMax: 3 } }, 'option limits: unknown limit "worldMax". Did you mean "worldsMax"?'],
  [{ limits: { worldsMax: 0 } }, "option limits.worldsMax: 0 is out of range. Use 1 to 1000000."],
  [{ limits: 3 }, "option limits: 3 is not an object. Use numbers by name, such as { worldsMax: 100 }."],
  [{ profil: "canton-3.5" }, 'unknown option "profil". Did you mean "profile"?'],
  [{ clock: "frozn" }, 'option clock: unknown value "frozn". Did you mean "frozen"?'],
  [{ auth: null }, "option auth: unknown value null. Use none, bearer, user or jwt."],
  [{ start: "2026-01-01" }, 'option start: "2026-01-01" is not a valid Date. Use "now" or new Date('],
  [{ start: new Date("soon") }, "option start: Invalid Date is not a valid Date."],
  [{ start: new Date(-1) }, "is not a valid Date. Use"],
  [{ verifySignatures: "yes" }, 'option verifySignatures: "yes" is not a boolean. Use true or false.'],
  [{ profile: 3.5 }, "option profile: 3.5 is not a non-empty string."],
  [{ files: "a.yaml", scenario: "a.yaml" }, 'option files: "a.yaml" is not an object. Use texts by path'],
  [{ scenario: 5 }, "option scenario: 5 is neither a path nor a URL."],
])("refuses %j", (options, message) => {
  // As a program without types passes them.
  expect(() => Reflect.apply(createUnderstudy, undefined, [options])).toThrow(message);
});

test.each(["7575", 70_000, -1, 1.5])("refuses the port %j", async (port) => {
  const started = Reflect.apply(startUnderstudy, undefined, [{ port }]);
  await expect(started).rejects.toThrow("is not a valid port. Use an integer from 0 to 65535.");
});

test("refuses invalid durations and reassignments, with the reason", () => {
  const understudy = createUnderstudy();
  expect(() => understudy.clock.advance("soon")).toThrow(
    '"soon" is not a valid duration. Use hours, minutes and seconds, such as "PT30S".',
  );
  expect(() => understudy.reassign("amulet-rules", { to: "synchronizer-a" })).toThrow('assigned to "synchronizer-a"');
  expect(() => understudy.reassign("amulet-rules", { to: "synchronizer-b", for: "soon" })).toThrow(
    "is not a valid duration",
  );
  const window = understudy.reassign("amulet-rules", { to: "synchronizer-b" });
  expect(() => understudy.reassign("amulet-rules", { to: "synchronizer-b" })).toThrow("is already being reassigned");
  window.complete();
  expect(() => window.complete()).toThrow("is already complete");
});

const factory = "external-party-amulet-rules";
const json = { "Content-Type": "application/json" };
const lookupPath = "/registry/transfer-instruction/v2/transfer-factory";
const lookupBody = JSON.stringify(transferLookup());
const lookup = async (understudy: Understudy) =>
  (await understudy.fetch(lookupPath, { method: "POST", headers: json, body: lookupBody })).status;

test("a reassignment ends with complete(), at the end of its block, or after its duration", async () => {
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

test("a reassignment completed early leaves the next one unchanged", async () => {
  const understudy = createUnderstudy();
  understudy.reassign(factory, { to: "synchronizer-b", for: "PT10S" }).complete();
  understudy.clock.advance("PT5S");
  understudy.reassign(factory, { to: "synchronizer-a", for: "PT10S" });
  understudy.clock.advance("PT5S");
  expect(await lookup(understudy)).toBe(409);
  understudy.clock.advance("PT5S");
  expect(await lookup(understudy)).toBe(200);
});

test("the end of a block completes only its own reassignment", async () => {
  const understudy = createUnderstudy();
  {
    using first = understudy.reassign(factory, { to: "synchronizer-b", for: "PT10S" });
    understudy.clock.advance("PT10S");
    understudy.reassign(factory, { to: "synchronizer-a" });
    expect(() => first.complete()).toThrow("is already complete");
  }
  expect(await lookup(understudy)).toBe(409);
});

const listStatus = async (understudy: Understudy, query = "") =>
  (await understudy.fetch(`/v2/users${query}`, { headers })).status;

test("injects faults into the next calls, the newest first, and drops them on reset", async () => {
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
  await expect(listStatus(understudy)).rejects.toThrow("fetch failed: the response was cut off (reset)");
});

test("a fault has an error of its operation and headers", async () => {
  const understudy = createUnderstudy();
  const ask = async () => {
    const response = await understudy.fetch("/v2/users", { headers });
    return [response.status, response.headers.get("retry-after"), JSON.parse(await response.text()).grpcCodeValue];
  };
  understudy.fault("getV2Users", { status: 429, headers: { "Retry-After": 5 } });
  expect(await ask()).toEqual([429, "5", 8]);
  const wrong = () => understudy.fault("getV2Users", { status: 429, headers: { Connection: "close" } });
  expect(wrong).toThrow("plan.0 sets the header Connection. The server decides it");
});

test("plans events at a time or before a call, counted from now, in addition to the scenario's plan", async () => {
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

test("an invalid plan is refused as a whole, with all its problems", async () => {
  const understudy = createUnderstudy();
  const wrong = () =>
    understudy.plan(
      { on: "getV2Users", instead: { status: 503 } },
      { at: "PT1S", deactivateUser: "alise" },
      { at: "PT1S", connect: "nowhere" },
    );
  expect(wrong).toThrow('names "alise", which does not exist. Did you mean "alice"?');
  expect(wrong).toThrow('names the synchronizer "nowhere", which the ledger does not have');
  // @ts-expect-error A misspelt operation is an error of the compiler too.
  expect(() => understudy.fault("getV2User", { instead: { status: 503 } })).toThrow('Did you mean "getV2Users"?');
  expect(() => understudy.fault("getV2Users", { instead: {} })).toThrow("has instead without a response");
  expect(await listStatus(understudy)).toBe(200);
});

test("reads the scenario and its fixtures from option files, or from a file: URL", async () => {
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
  expect(() => createUnderstudy({ scenario: "mine/b.yaml", files })).toThrow("File not found: mine/b.yaml");
  expect(() => createUnderstudy({ files })).toThrow("option files needs option scenario");
  const url = new URL("../../scenarios/rights.arazzo.yaml", import.meta.url);
  expect(createUnderstudy({ scenario: url }).world["scenario"]).toBe("rights");
  expect(() => createUnderstudy({ scenario: new URL("https://example.com/a.yaml") })).toThrow("is not a file: URL");
});

test("a fixture alone is a scenario without steps, named like its file", async () => {
  const files = {
    "ledger.yaml":
      "participantId: p::1220ab\nidentityProviders: [{ id: c, issuer: i, jwksUrl: j }]\nusers: [{ id: alice }]\n",
  };
  const understudy = createUnderstudy({ scenario: "ledger.yaml", files });
  expect(understudy.world["scenario"]).toBe("ledger");
  expect((await understudy.fetch("/v2/users/alice", { headers })).status).toBe(200);
  expect(await (await understudy.fetch("/registry/metadata/v1/info")).json()).toMatchObject({
    adminId: "registry::1220ab",
  });
});

test("a plan has a limit, and past events do not count", async () => {
  const understudy = createUnderstudy({ auth: "none" });
  const entries = Array.from({ length: 9_999 }, () => ({ at: "PT1H", deactivateUser: "alice" }));
  understudy.plan(...entries);
  const fault = () => understudy.fault("getV2Users", { instead: { status: 503 } });
  const planCall = () => understudy.plan({ on: "getV2Users", deactivateUser: "alice" });
  for (const plan of [fault, planCall, fault]) {
    plan();
    expect(plan).toThrow("the plan would have 10001 pending events; the limit is 10000");
    await listStatus(understudy);
  }
  understudy.clock.advance("PT1H");
  understudy.plan(...entries);
  expect(fault).not.toThrow();
});

test("a planned body keeps integers beyond 2^53, and a plan entry that is not an object is refused", async () => {
  const understudy = createUnderstudy();
  understudy.fault("getV2Users", { instead: { status: 503, body: { offset: 9007199254740993n } } });
  expect(await (await understudy.fetch("/v2/users", { headers })).text()).toBe('{"offset":9007199254740993}');
  expect(() => Reflect.apply(understudy.plan, understudy, [undefined])).toThrow(
    "plan.0 is null, which is not an object",
  );
});

test("a planned response with status 204 has no body", async () => {
  const understudy = createUnderstudy();
  understudy.fault("getV2Users", { instead: { status: 204, body: { users: [] } } });
  const response = await understudy.fetch("/v2/users", { headers });
  expect([response.status, await response.text()]).toEqual([204, ""]);
});

test("an aborted request rejects at once; a request with an aborted signal is not sent", async () => {
  const understudy = createUnderstudy();
  understudy.fault("getV2Users", { after: { delay: "PT1S" } });
  const patience = new AbortController();
  const response = understudy.fetch("/v2/users", { headers, signal: patience.signal });
  patience.abort(new Error("no patience"));
  await expect(response).rejects.toThrow("no patience");
  await expect(understudy.fetch("/v2/users", { headers, signal: patience.signal })).rejects.toThrow("no patience");
  expect(understudy.journal).toEqual([]);
});

test("requests before a fork turn a client error into a warning", async () => {
  const changedBlob = async (understudy: Understudy) => {
    const response = await understudy.fetch(lookupPath, { method: "POST", headers: json, body: lookupBody });
    const [contract] = JSON.parse(await response.text()).choiceContext.disclosedContracts;
    const body = JSON.stringify({ disclosedContracts: [{ ...contract, createdEventBlob: "YQ==" }] });
    await understudy.fetch("/v2/interactive-submission/prepare", { method: "POST", headers, body });
    return understudy.clientFindings().find(({ rule }) => rule === "blobs-forwarded-unchanged")?.severity;
  };
  const origin = createUnderstudy();
  const unrequested = origin.fork().fork();
  await listStatus(origin);
  expect([await changedBlob(unrequested), await changedBlob(origin.fork().fork())]).toEqual(["error", "warning"]);
});

test("journal entries have the operation, the virtual time, and a note if the request was unexpected", async () => {
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

test("five hundred forks at the same time each see only their own changes", async () => {
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

test("token gives a token that the stub accepts in each mode", async () => {
  for (const auth of ["none", "bearer", "user", "jwt"] as const) {
    const understudy = createUnderstudy({ profile: "canton-3.5", auth, jwtSecret: "a secret" });
    const headers = { Authorization: `Bearer ${await understudy.token({ user: "participant_admin" })}` };
    expect([auth, (await understudy.fetch("/v2/users", { headers })).status]).toEqual([auth, 200]);
  }
});

test("a token of an unknown user is refused like on a node", async () => {
  const understudy = createUnderstudy({ profile: "canton-3.5", auth: "jwt" });
  const headers = { Authorization: `Bearer ${await understudy.token({ user: "unknown" })}` };
  expect((await understudy.fetch("/v2/users", { headers })).status).toBe(403);
});

test("a fault has a short form, and refuses both forms at once", async () => {
  const understudy = createUnderstudy();
  understudy.fault("getV2Users", { status: 503, body: "busy" });
  const response = await understudy.fetch("/v2/users", { headers: { Authorization: "Bearer any" } });
  expect([response.status, await response.text()]).toEqual([503, "busy"]);
  expect(() => understudy.fault("getV2Users", { status: 503, after: { reset: true } })).toThrow(
    "the entry has status and after. Write status within after: it is part of one response.",
  );
});

test("the status and the body of a response are one line, even if a response is cut off", async () => {
  const understudy = createUnderstudy();
  await understudy.fetch("/v2/users?pageSize=1", { headers });
  understudy.fault("getV2Users", { after: { reset: true } });
  await expect(understudy.fetch("/v2/users", { headers })).rejects.toThrow("cut off");
  expect(understudy.journal.map(({ response }) => response.status)).toEqual([200, undefined]);
  const bodies = understudy.journal.map(({ response }) => response.body?.json<{ users: { id: string }[] }>());
  expect(bodies).toEqual([expect.objectContaining({ users: [expect.objectContaining({ id: "alice" })] }), undefined]);
});

test("the world shows users, parties, packages and contracts, also over the control API", async () => {
  const understudy = await startUnderstudy();
  onTestFinished(() => understudy.close());
  await fetch(`${understudy.ledgerUrl}/v2/users/alice/rights`, {
    method: "POST",
    headers: { ...headers, ...json },
    body: JSON.stringify({ userId: "alice", rights: [rights] }),
  });
  const { users, parties, packages, synchronizers, contracts } = understudy.world;
  const alice = users.find(({ id }) => id === "alice");
  expect(alice?.rights).toContainEqual({ type: "ParticipantAdmin" });
  expect(parties.find(({ id }) => id === alice?.primaryParty)).toMatchObject({ isAllocated: true });
  expect(packages.map(({ id }) => id)).toContain(synchronizers[0]?.vettedPackages[0]);
  expect(contracts[0]?.assignment).toMatchObject({ type: "assigned", synchronizerId: synchronizers[0]?.id });
  const served = await fetch(`${understudy.ledgerUrl}/__understudy/worlds/default`);
  expect(await served.json()).toEqual(JSON.parse(JSON.stringify(understudy.world)));
});

test("with a host and a control token, each fork has a URL for a back end on another machine", async () => {
  const controlToken = "a-token-that-is-hard-to-guess";
  const understudy = await startUnderstudy({ host: "0.0.0.0", hostName: "localhost", controlToken });
  onTestFinished(() => understudy.close());
  const [one, other] = [understudy.fork(), understudy.fork()];
  expect(one.ledgerUrl).toMatch(/^http:\/\/localhost:\d+\/w\/fork-1$/);
  expect((await fetch(`${one.ledgerUrl}/v2/idps`, { headers })).status).toBe(200);
  expect([one.journal.length, other.journal.length]).toEqual([1, 0]);
  const control = `${understudy.ledgerUrl}/__understudy/worlds`;
  expect((await fetch(control)).status).toBe(401);
  expect((await fetch(control, { headers: { Authorization: `Bearer ${controlToken}` } })).status).toBe(200);
});

test.each([
  [{ host: "0.0.0.0" }, "option host: other machines can reach 0.0.0.0, so the control API needs a token."],
  [{ controlToken: "short" }, "option controlToken: its length is 5. Use 16 to 256 characters"],
  [{ hostName: "http://stub" }, 'option hostName: "http://stub" is not a host name.'],
])("refuses the address %j", async (options, message) => {
  await expect(startUnderstudy(options)).rejects.toThrow(message);
});

test.each([
  // @ts-expect-error A misspelt operation.
  ["fault", async (stub: Understudy) => stub.fault("getV2User", { status: 503 })],
  ["reassign", async (stub: Understudy) => stub.reassign("no-contract", { to: "synchronizer-b" })],
  ["clock.advance", async (stub: Understudy) => stub.clock.advance("soon")],
  ["createUnderstudy", async () => createUnderstudy({ seed: -1 })],
  ["startUnderstudy", () => startUnderstudy({ controlToken: "short" })],
  ["check", () => check({ recordings: ["no-such-file.har"] })],
  ["assertReceived", async (stub: Understudy) => assertReceived(stub, { operation: "getV2Users" })],
  ["a closed stub", (stub: Understudy) => stub.close().then(() => stub.journal)],
])("the stack of an error of %s begins at the line of the test", async (_, call) => {
  const error = await call(createUnderstudy()).catch((caught: unknown) => caught);
  const frames = (error instanceof Error ? (error.stack ?? "") : "").split("\n").filter((line) => /^\s+at /.test(line));
  expect(frames[0]).toContain("library.test.ts");
});

import { expect, test } from "vitest";
import { type HostScenarioOptions, hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { startUnderstudy } from "../../src/entrypoints/library/start-understudy.ts";
import { Body, emptyBody } from "../../src/foundation/http/body.ts";
import { textResponse } from "../../src/foundation/http/response.ts";
import { CountedLimits } from "../../src/foundation/limits/counted-limits.ts";
import { limits } from "../../src/foundation/limits/limits.ts";
import { loadSpec } from "../../src/foundation/spec/spec.ts";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { EventHub } from "../../src/stub/inspection/event-hub.ts";
import { Inspection } from "../../src/stub/inspection/inspection.ts";
import type { PageFile } from "../../src/stub/inspection/page.ts";
import { RecordedTraffic } from "../../src/stub/inspection/recorded-traffic.ts";
import { faultyStubs } from "../_faulty-stubs.ts";
import { scenarioOf } from "../_scenario.ts";

const factory = "external-party-amulet-rules";
const page = new Map<string, PageFile>([
  ["/", { contentType: "text/html; charset=UTF-8", body: new TextEncoder().encode("<p>page</p>") }],
  ["/assets/a.js", { contentType: "text/javascript; charset=UTF-8", body: new TextEncoder().encode("1") }],
]);

/** A served scenario with its inspection; requests are handled in the process. */
function inspected(
  scenario = "quickstart.arazzo.yaml",
  profile = "canton-3.5",
  options: Pick<HostScenarioOptions, "auth" | "limits" | "sleep" | "sharedStubs"> = {},
) {
  const hosting = hostScenario(scenarioOf(scenario, { profile }), { wallNowMs: () => 0, ...options });
  const inner = withControl(hosting, loopbackAccess);
  const inspection = new Inspection({
    source: hosting,
    access: loopbackAccess,
    page,
    later: () => undefined,
    inner,
  });
  const ask = async (
    method: string,
    target: string,
    body?: object,
    headers: readonly (readonly [string, string])[] = [],
  ) => {
    const own = [
      ["Host", "localhost"],
      ["Authorization", "Bearer topsecret"],
      ["Content-Type", "application/json"],
    ] as const;
    const text = body === undefined ? "" : JSON.stringify(body);
    const response = await inspection.handler({ method, target, headers: [...headers, ...own], body: new Body(text) });
    if (response.type !== "response") return { status: 0, headers: new Map<string, string>(), text: response.type };
    return {
      status: response.status,
      headers: new Map(response.headers),
      text: response.body.text(),
    };
  };
  const look = async (path: string) => JSON.parse((await ask("GET", `/__understudy/worlds/default/${path}`)).text);
  return { hosting, inspection, ask, look, statuses: () => statusesOf(inspection) };
}

/** The data of the first event of a new listener. */
function statusesOf({ handler }: Inspection): unknown {
  const headers = [["Host", "localhost"]] as const;
  const response = handler({ method: "GET", target: "/__understudy/events", headers, body: emptyBody });
  const sent: string[] = [];
  if ("type" in response && response.type === "events")
    response.open({ send: (text) => sent.push(text), end: () => undefined });
  return JSON.parse(sent[0]?.replace("event: change\ndata: ", "") ?? "null");
}

const deactivation = {
  user: { id: "alice", isDeactivated: true },
  updateMask: { paths: ["is_deactivated"], unknownFields: { fields: {} } },
};
const grant = { userId: "alice", rights: [{ kind: { ParticipantAdmin: { value: {} } } }] };

test.each(["worlds", "limits", "live", "worlds/default/traffic", "worlds/default/none", "worlds/none/traffic"])(
  "keeps other pages from embedding the response of %s",
  async (path) => {
    const { headers } = await inspected().ask("GET", `/__understudy/${path}`);
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
  },
);

test("lists each exchange as one line, in pages ordered by number", async () => {
  const { ask, look } = inspected();
  await ask("GET", "/v2/users?pageSize=-1");
  await ask("POST", "/v2/users/alice/rights", grant);
  await ask("GET", "/v2/userz");
  const { first, last, lines } = await look("traffic?after=0&limit=2");
  expect([first, last, lines.length]).toEqual([1, 3, 2]);
  expect(lines[0]).toMatchObject({ number: 1, operationId: "getV2Users", status: 400, outcome: "KNOWN", changes: 0 });
  expect(lines[1]).toMatchObject({ number: 2, operationId: "postV2UsersUser-idRights", changes: 1, unexpected: null });
  const rest = await look("traffic?after=2");
  expect(rest.lines).toEqual([
    expect.objectContaining({ number: 3, operationId: null, outcome: "UNSUPPORTED", unexpected: "unknown-path" }),
  ]);
});

test("shows an exchange with its changes, with secrets redacted, and as curl command, scenario step and plan entry", async () => {
  const { ask, look } = inspected();
  await ask("POST", "/v2/users/alice/rights", grant);
  const shown = await look("traffic/1");
  expect(JSON.parse(shown.request.body)).toEqual(grant);
  expect(shown.request.headers).toContainEqual(["Authorization", "[redacted]"]);
  expect(JSON.stringify(shown)).not.toContain("topsecret");
  expect(shown.changes).toEqual([{ table: "users", id: "alice", change: "changed" }]);
  expect(shown.copies.curl).toContain('-H "Authorization: Bearer $TOKEN"');
  expect(shown.copies.step).toContain("operationId: $sourceDescriptions.ledger.postV2UsersUser-idRights");
  expect(shown.copies.step).toContain("condition: $statusCode == 200");
  expect(shown.copies.plan).toContain("- on: postV2UsersUser-idRights\n  instead:\n    status: 200\n    body:");
});

test("lists the broken rules of an exchange, exchange rules and trace rules, with the sentence of each rule", async () => {
  const sharedStubs = faultyStubs({ ledger: "canton-3.5", registry: "splice-0.7" });
  const { ask, look } = inspected(undefined, undefined, { sharedStubs });
  const body = { users: [{ id: 5 }], nextPageToken: "more" };
  const plan = [{ on: "getV2Users", instead: { status: 200, body } }];
  await ask("POST", "/__understudy/worlds/default/plan", { plan });
  await ask("GET", "/v2/users");
  await ask("POST", "/v2/users/alice/rights", grant);
  const again = { status: 200, body: { newlyGrantedRights: grant.rights } };
  await ask("POST", "/__understudy/worlds/default/plan", {
    plan: [{ on: "postV2UsersUser-idRights", instead: again }],
  });
  await ask("POST", "/v2/users/alice/rights", grant);
  const { lines } = await look("traffic");
  expect(lines.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["FAIL", "PASS", "FAIL"]);
  expect(lines[0].rules).toContainEqual({ rule: "body-schema", outcome: "FAIL" });
  expect(lines[2].rules).toEqual([{ rule: "grants-are-idempotent", outcome: "FAIL" }]);
  const { broken } = await look("traffic/1");
  expect(broken).toContainEqual(
    expect.objectContaining({ rule: "body-schema", pointer: "/users/0/id", summary: expect.stringMatching(/\.$/) }),
  );
  const verdict = await look("verdict");
  expect([verdict.passed, verdict.failed]).toEqual([1, 2]);
  expect(verdict.matrix).toContainEqual(
    expect.objectContaining({ operationId: "getV2Users", status: 200, rule: "body-schema", outcome: "FAIL", count: 1 }),
  );
  const { headers, text } = await ask("GET", "/__understudy/worlds/default/report");
  expect(headers.get("Content-Disposition")).toBe('attachment; filename="understudy-verdict.html"');
  expect(text).toContain("grants-are-idempotent");
});

test("lists the client rules that a request breaks, in the traffic, in the exchange and in the verdict", async () => {
  const { ask, look } = inspected();
  await ask("GET", "/v2/users?pageSize=2");
  await ask("GET", "/v2/users?pageToken=2");
  await ask("GET", "/v2/users?pageToken=2");
  const broken = { rule: "page-tokens-from-pages", severity: "error" };
  const { lines } = await look("traffic");
  expect(lines.map(({ clientRules }: { clientRules: unknown }) => clientRules)).toEqual([[], [broken], [broken]]);
  expect((await look("traffic/2")).clientFindings).toMatchObject([
    { ...broken, actual: "2", advice: expect.stringContaining("nextPageToken") },
  ]);
  expect((await look("verdict")).clientFindings).toMatchObject([{ ...broken, exchange: 1, count: 2 }]);
});

test("a plan of the control API sets headers, and the timeline names them", async () => {
  const { ask, look } = inspected();
  const response = { status: 429, headers: { "Retry-After": 5 } };
  await ask("POST", "/__understudy/worlds/default/plan", { plan: [{ on: "getV2Users", instead: response }] });
  const { status, headers } = await ask("GET", "/v2/users");
  expect([status, headers.get("Retry-After")]).toEqual([429, "5"]);
  expect((await look("timeline")).plan).toMatchObject([{ description: "429 with Retry-After" }]);
  const wrong = { plan: [{ on: "getV2Users", instead: { status: 429, headers: { TE: "trailers" } } }] };
  const refused = await ask("POST", "/__understudy/worlds/default/plan", wrong);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("plan.0 sets the header TE")]);
});

test("a planned response is marked as planned, breaks no rule, and explains what the next exchanges show", async () => {
  const { ask, look } = inspected();
  const named = async (plan: object) => ask("POST", "/__understudy/worlds/default/plan", { plan: [plan] });
  await ask("POST", "/v2/users/alice/rights", grant);
  await named({ on: "getV2Users", instead: { status: 200, body: { users: [{ id: 5 }] } } });
  await ask("GET", "/v2/users");
  await named({ on: "patchV2UsersUser-idRights", fault: "commit-then-unavailable" });
  await ask("PATCH", "/v2/users/alice/rights", grant);
  await named({ on: "getV2Idps", instead: { reset: true } });
  await ask("GET", "/v2/idps");
  await named({ on: "getV2Users", after: { delay: "PT0S" } });
  await ask("GET", "/v2/users");
  await ask("POST", "/v2/users/alice/rights", grant);
  const { lines } = await look("traffic");
  expect(lines.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    "PASS",
    "PLANNED",
    "PLANNED",
    "PLANNED",
    "PASS",
    "PASS",
  ]);
  expect([lines[1].rules, (await look("traffic/2")).broken]).toEqual([[], []]);
  const { passed, failed, planned } = await look("verdict");
  expect([passed, failed, planned]).toEqual([3, 0, 3]);
});

test("exchanges dropped before the first inspection cause no violation", async () => {
  const { ask, look } = inspected("quickstart.arazzo.yaml", "canton-3.5", {
    limits: new CountedLimits({ journalExchangesMax: 3 }),
  });
  await ask("POST", "/v2/users/alice/rights", grant);
  expect((await look("traffic")).lines).toMatchObject([{ number: 1, outcome: "PASS" }]);
  await ask("PATCH", "/v2/users/alice/rights", grant);
  for (const target of ["/v2/idps", "/v2/idps", "/v2/idps"]) await ask("GET", target);
  await ask("POST", "/v2/users/alice/rights", grant);
  expect((await look("traffic")).lines.at(-1)).toMatchObject({ number: 6, outcome: "PASS" });
  expect((await look("verdict")).failed).toBe(0);
});

test("checks exchanges in the order of their effects: a delayed response causes no violation in the next exchange", async () => {
  const held = Promise.withResolvers<void>();
  const { ask, look } = inspected(undefined, undefined, { sleep: () => held.promise });
  const plan = [{ on: "patchV2UsersUser-idRights", after: { delay: "PT1S" } }];
  await ask("POST", "/__understudy/worlds/default/plan", { plan });
  await ask("POST", "/v2/users/alice/rights", grant);
  const revoked = ask("PATCH", "/v2/users/alice/rights", grant);
  await ask("POST", "/v2/users/alice/rights", grant);
  const outcomes = async () => (await look("traffic")).lines.map(({ outcome }: { outcome: string }) => outcome);
  await outcomes();
  held.resolve();
  expect((await revoked).status).toBe(200);
  expect(await outcomes()).toEqual(["PASS", "PASS", "PASS"]);
  expect((await look("verdict")).failed).toBe(0);
});

test("groups the requests of a world that name it by path, by header or not at all", async () => {
  const { ask, look } = inspected();
  const header = [["Understudy-World", "default"]] as const;
  await ask("GET", "/v2/users");
  await ask("PATCH", "/v2/users/alice", deactivation, header);
  await ask("GET", "/w/default/v2/users");
  expect(await look("verdict")).toMatchObject({ failed: 0, violations: [] });
});

test("shows tables in the current state, in the state after any exchange, and the changes of this exchange", async () => {
  const { ask, look } = inspected();
  const user = { id: "ursula", primaryParty: "", isDeactivated: false, identityProviderId: "" };
  await ask("POST", "/v2/users", { user, rights: [] });
  await ask("DELETE", "/v2/users/ursula");
  const idsAt = async (at: string) =>
    (await look(`tables/users?search=URSULA${at}`)).rows.map(({ id }: { id: string }) => id);
  expect([await idsAt(""), await idsAt("&at=0"), await idsAt("&at=1"), await idsAt("&at=2")]).toEqual([
    [],
    [],
    ["ursula"],
    [],
  ]);
  const created = await look("tables/users?at=1");
  expect(created.rows.filter(({ isChanged }: { isChanged: boolean }) => isChanged)).toHaveLength(1);
  expect((await look("traffic/2")).changes).toEqual([{ table: "users", id: "ursula", change: "removed" }]);
  const first = await look("tables/users?limit=2");
  const second = await look(`tables/users?limit=2&after=${first.next}`);
  expect([...first.rows, ...second.rows].map(({ id }: { id: string }) => id)).toEqual([
    "alice",
    "bob",
    "carol",
    "dave",
  ]);
  for (const table of [
    "parties",
    "packages",
    "vetting",
    "identityProviders",
    "contracts",
    "holdings",
    "transferInstructions",
    "preapprovals",
  ]) {
    const { columns, rows } = await look(`tables/${table}`);
    for (const { cells } of rows) expect(cells).toHaveLength(columns.length);
  }
});

test("forks a world from the state after any exchange", async () => {
  const { ask, hosting } = inspected();
  await ask("POST", "/v2/users/alice/rights", grant);
  const fork = async (at: number) => JSON.parse((await ask("POST", "/__understudy/worlds/default/fork", { at })).text);
  const rightsIn = (id: string) => hosting.worlds.get(id)?.world.state.ledger.users.get("alice")?.rights.size ?? 0;
  const [before, after] = [await fork(0), await fork(1)];
  expect(rightsIn(after.id) - rightsIn(before.id)).toBe(1);
  expect(await fork(2)).toEqual({ error: "There is no exchange 2, or the journal has dropped it." });
});

test.each([
  ["known-members-sent", /misspelt `dryRun` changes the node/],
  ["body-schema", /^The body of a 200 is JSON/],
  ["DIV-001", /\w/],
])("serves the text of %s, so that no link needs a network", async (id, text) => {
  const { status, text: body } = await inspected().ask("GET", `/__understudy/rules/${id}`);
  expect(status).toBe(200);
  expect(JSON.parse(body).paragraphs.join("\n")).toMatch(text);
});

test("faults are offered for the nine operations of the spec first", async () => {
  const { operations } = await inspected().look("timeline");
  const nine = loadSpec({ ledger: "spec", registry: "spec" }).operations.map(({ operationId }) => operationId);
  expect([operations.slice(0, 9), operations.length > 9]).toEqual([nine.sort(), true]);
});

test("the timeline contains the plan, and the intervals in which contracts were in flight", async () => {
  const { ask, look } = inspected("reassignment-by-time.arazzo.yaml");
  const advance = (by: string) => ask("POST", "/__understudy/worlds/default/clock/advance", { by });
  const begun = await look("timeline");
  expect(begun.plan.map(({ isDone }: { isDone: boolean }) => isDone)).toEqual([false, false]);
  const [begins, ends] = begun.plan.map(({ at }: { at: string }) => Date.parse(at));
  await ask("GET", "/v2/idps");
  await advance(`PT${(begins - Date.parse(begun.now)) / 1000 + 1}S`);
  await ask("GET", "/v2/idps");
  const during = await look("timeline");
  expect(during.windows).toMatchObject([{ contract: factory, from: new Date(begins).toISOString(), until: null }]);
  expect(during.contracts).toContainEqual(expect.objectContaining({ name: factory, isInFlight: true }));
  await advance("PT1H");
  await ask("GET", "/v2/idps");
  const over = await look("timeline");
  expect(over.windows).toMatchObject([{ from: new Date(begins).toISOString(), until: new Date(ends).toISOString() }]);
  expect(over.plan.every(({ isDone }: { isDone: boolean }) => isDone)).toBe(true);
});

test.each([
  ["/__understudy/worlds/none/traffic", 404],
  ["/__understudy/rules/nothing", 404],
  ["/__understudy/worlds/%/traffic", 404],
  ["/__understudy/worlds/default/traffic?after=x", 400],
  ["/__understudy/worlds/default/traffic?limit=10001", 400],
  ["/__understudy/worlds/default/traffic/9", 404],
  ["/__understudy/worlds/default/traffic/x", 404],
  ["/__understudy/worlds/default/tables/nothing", 404],
  ["/__understudy/worlds/default/tables/users?at=7", 404],
  ["/__understudy/worlds/default/tables/users?limit=0", 400],
  ["/__understudy/assets/../secret", 404],
])("responds to %s with %d and the reason", async (target, status) => {
  const response = await inspected().ask("GET", target);
  expect(response.status).toBe(status);
  expect(JSON.parse(response.text).error).toMatch(/\w/);
});

test("serves the page only to this machine, under a policy that forbids inline scripts", async () => {
  const { ask } = inspected();
  const { status, headers, text } = await ask("GET", "/__understudy/");
  expect([status, text]).toEqual([200, "<p>page</p>"]);
  expect(headers.get("Content-Security-Policy")).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  expect((await ask("GET", "/__understudy")).headers.get("Location")).toBe("/__understudy/");
  expect((await ask("GET", "/__understudy/assets/a.js")).headers.get("Cache-Control")).toContain("immutable");
  const views = ["traffic", "traffic/1", "tables/users", "timeline", "verdict", "report"];
  const paths = ["", "/", "/assets/a.js", "/events", ...views.map((view) => `/worlds/default/${view}`)];
  for (const path of paths)
    for (const foreign of [
      ["Origin", "http://evil.example"],
      ["Origin", "null"],
      ["Host", "evil.example"],
    ] as const) {
      const refused = await ask("GET", `/__understudy${path}`, undefined, [foreign]);
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("loopback")]);
    }
});

test("the timeline says when the call came that an entry of the plan waited for", async () => {
  const { ask, look } = inspected();
  const add = (entry: object) => ask("POST", "/__understudy/worlds/default/plan", { plan: [entry] });
  await add({ on: "getV2Users", nth: 2, instead: { status: 503 } });
  await ask("GET", "/v2/users");
  await ask("POST", "/__understudy/worlds/default/clock/advance", { by: "PT30S" });
  await ask("GET", "/v2/users");
  await add({ on: "getV2Idps", instead: { status: 503 } });
  await ask("POST", "/__understudy/worlds/default/clock/advance", { by: "PT30S" });
  await ask("GET", "/v2/users");
  const { plan } = await look("timeline");
  expect(plan).toEqual([
    expect.objectContaining({ on: "getV2Idps", at: null, isDone: false }),
    expect.objectContaining({ on: "getV2Users", at: "2026-01-01T00:05:30.000Z", isDone: true }),
  ]);
});

test.each([
  ["none", ""],
  ["bearer", '-H "Authorization: Bearer any" '],
  ["user", '-H "Authorization: Bearer participant_admin" '],
  ["jwt", null],
] as const)("shows how curl gets access with authentication %s", async (auth, header) => {
  const { look, statuses } = inspected("quickstart.arazzo.yaml", "spec", { auth });
  expect(await look("access")).toEqual({ before: [], header });
  expect(statuses()).toMatchObject({
    profile: { ledger: "spec", registry: "spec" },
    auth,
    clientUrl: null,
    worlds: [{ id: "default", now: "2026-01-01T00:05:00.000Z", clockSpeed: 0 }],
  });
});

test("merges simultaneous events into one, which contains the status of all worlds", () => {
  const due: (() => void)[] = [];
  const seen: string[] = [];
  let count = 0;
  const hub = new EventHub(
    () => String(count),
    (run) => due.push(run),
  );
  const stop = hub.listen({ send: (text) => seen.push(text), end: () => seen.push("end") });
  for (count = 1; count < 100; count += 1) hub.changed();
  expect(seen).toEqual(["event: change\ndata: 0\n\n", "event: change\ndata: 1\n\n"]);
  due.shift()?.();
  expect(seen.at(-1)).toBe("event: change\ndata: 100\n\n");
  due.shift()?.();
  expect(seen).toHaveLength(3);
  hub.close();
  expect(seen.at(-1)).toBe("end");
  stop();
  hub.changed();
  expect(seen).toHaveLength(4);
});

test("serves event streams up to the limit; they end with the server", async () => {
  const understudy = await startUnderstudy();
  const streams = await Promise.all(
    Array.from({ length: limits.eventStreamsMax.byDefault }, () =>
      fetch(`${understudy.ledgerUrl}/__understudy/events`),
    ),
  );
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  const [first] = streams;
  const reader = first?.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain('"id":"default","last":0');
  await fetch(`${understudy.ledgerUrl}/v2/users`, { headers: { Authorization: "Bearer any" } });
  expect((await reader?.read())?.value).toContain('"last":1');
  understudy.clock.advance("PT1S");
  expect((await reader?.read())?.value).toContain('"revision":2');
  expect((await fetch(`${understudy.ledgerUrl}/__understudy/events`)).status).toBe(503);
  await understudy.close();
  await expect(reader?.read()).rejects.toThrow();
});

test("a reset and a new inspection change the epoch, so that old exchange numbers are not reused", async () => {
  const { ask, look, hosting } = inspected();
  await ask("GET", "/v2/idps");
  const before = (await look("traffic")).epoch;
  await ask("POST", "/__understudy/worlds/default/reset");
  const after = await look("traffic");
  expect([after.last, after.epoch > before]).toEqual([0, true]);
  await ask("GET", "/v2/idps");
  expect((await look("traffic")).lines).toMatchObject([{ number: 1, outcome: "PASS" }]);
  expect(hosting.worlds.size).toBe(1);
});

test("shows recorded exchanges with their verdicts as they arrive, without a world", async () => {
  const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });
  const strictness = { level: "spec", areAdditionalOperationsChecked: false } as const;
  const recorded = new RecordedTraffic(spec, strictness, { exchangesMax: 2, bytesMax: 100_000 }, () => 0);
  const inner = async () => textResponse(404, undefined, "");
  const inspection = new Inspection({
    source: recorded,
    access: loopbackAccess,
    page,
    later: () => undefined,
    inner,
  });
  const textOf = async (path: string) => {
    const target = `/__understudy/worlds/default/${path}`;
    const response = await inspection.handler({
      method: "GET",
      target,
      headers: [["Host", "localhost"]],
      body: emptyBody,
    });
    return response.type === "response" ? response.body.text() : "";
  };
  const look = async (path: string) => JSON.parse(await textOf(path));
  const headers = [["Content-Type", "application/json"]] as const;
  for (const [index, text] of ['{"users":[]}', '{"users":5}', '{"users":[]}'].entries())
    recorded.add({
      startedAt: `2026-01-01T00:00:0${index}.000Z`,
      durationMs: 1,
      request: {
        method: "GET",
        target: "http://node.example/node-1/v2/users?pageSize=2",
        headers: [],
        body: emptyBody,
      },
      response: { type: "response", status: 200, headers, body: new Body(text) },
    });
  const { first, lines } = await look("traffic");
  expect([first, lines.map(({ outcome }: { outcome: string }) => outcome)]).toEqual([2, ["FAIL", "PASS"]]);
  expect(lines[0]).toMatchObject({ operationId: "getV2Users", virtualAt: "2026-01-01T00:00:01.000Z", changes: 0 });
  expect((await look("verdict")).failed).toBe(1);
  for (const path of ["tables/users", "timeline"]) expect((await look(path)).error).toContain("no world state");
  const { ask, hosting } = inspected();
  for (const target of ["/v2/version", "/v2/users?pageToken=2"]) await ask("GET", target);
  for (const exchange of hosting.worlds.get("default")?.journal.exchanges ?? []) recorded.add(exchange);
  expect((await look("traffic")).lines).toMatchObject([
    { outcome: "UNSUPPORTED", clientRules: [] },
    { outcome: "FAIL", clientRules: [{ rule: "page-tokens-from-pages" }] },
  ]);
  expect(await textOf("report")).toContain("the traffic of a recorder");
});

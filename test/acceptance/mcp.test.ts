import { expect, test } from "vitest";
import { probes } from "../../src/checker/probes/index.ts";
import { rules } from "../../src/checker/rules/index.ts";
import { referenceEntries } from "../../src/entrypoints/mcp/reference-entries.ts";
import { harEntry, harText } from "../_har.ts";
import { transferLookup } from "../_transfer.ts";
import { connectedAssistant } from "./_assistant.ts";
import { folderOf } from "./_command-line.ts";

const node = "http://node.example.com";
const authorization = { Authorization: "Bearer secret-token-of-alice" };
const folder = folderOf({
  "seen.har": harText([
    harEntry(`${node}/v2/users`, { headers: authorization, text: '{"users":[],"nextPageToken":""}' }),
    harEntry(`${node}/v2/users?pageToken=2`, {
      startedAt: "2026-01-01T00:00:01Z",
      headers: authorization,
      status: 400,
      text: "[]",
    }),
  ]),
  "notes.txt": "no recording",
  "ledger.yaml": "participantId: participant1::1220ab\nusrs: []\n",
});
const assistant = connectedAssistant(folder);
const started = assistant.then(async ({ call }) => (await call("start_stub", { profile: "canton-3.5" })).value);
const call = async (name: string, given?: Readonly<Record<string, unknown>>) =>
  (await assistant).call(name, {
    ...(/_(?:request|traffic|fault|contract)$/.test(name) ? await ofFirst() : {}),
    ...given,
  });
const ofFirst = async () => ({ stub: (await started).stub });

test("every tool and every argument has a description, and the list is short", async () => {
  const { tools } = await (await assistant).client.listTools();
  const bare = tools.flatMap(({ name, description = "", inputSchema: { properties = {} } }) =>
    Object.entries(properties)
      .filter(([, schema]) => !("description" in schema))
      .map(([argument]) => `${name}.${argument}`)
      .concat(description.length > 100 ? [] : [name]),
  );
  expect(bare).toEqual([]);
  expect(tools.length).toBeLessThan(10);
  expect(JSON.stringify(tools).length).toBeLessThan(16_000);
});

test("start_stub gives a base URL that other clients reach, a token and the inspector", async () => {
  const { baseUrl, inspectorUrl, token, user, world, profile } = await started;
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(inspectorUrl).toBe(`${baseUrl}/__understudy/`);
  expect({ token, user, profile }).toEqual({
    token: "participant_admin",
    user: "participant_admin",
    profile: { ledger: "canton-3.5", registry: "splice-0.8" },
  });
  expect(world.synchronizers).toEqual(["synchronizer-a", "synchronizer-b"]);
  const response = await fetch(`${baseUrl}/v2/users`, { headers: { Authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
});

test("start_stub reads a fixture relative to the working folder, and reports its problems with their lines", async () => {
  const { isError, text } = await call("start_stub", { scenario: "ledger.yaml" });
  expect(isError).toBe(true);
  expect(text).toMatch(/ledger\.yaml:2:1: the file has the unknown member "usrs"\. Did you mean "users"\?/);
});

test("send_request gives the response and the client findings of this exchange", async () => {
  const fine = await call("send_request", { path: "/v2/users?pageSize=1" });
  expect(fine.value).toMatchObject({ operation: "getV2Users", status: 200, clientFindings: [] });
  expect(fine.value.body.users).toHaveLength(1);
  const wrong = await call("send_request", { path: "/v2/users?pageToken=2" });
  expect(wrong.value).toMatchObject({ status: 400, body: { code: "INVALID_ARGUMENT" } });
  expect(wrong.value.reason).toContain("Failed to decode base64 encoded page token");
  expect(wrong.value.knownDivergences).toContain("DIV-001");
  expect(wrong.value.headers["Understudy-Reason"]).toContain("Failed to decode base64 encoded page token");
  expect(wrong.value.clientFindings).toMatchObject([{ rule: "page-tokens-from-pages", actual: "2" }]);
});

test("parallel calls of send_request get their own exchanges, normalized paths too", async () => {
  const paths = ["/v2/users?pageSize=1", "/v2/./idps", "/v2/x/../users/participant_admin", "/v2/users?pageSize=2"];
  const sent = [...paths, ...paths].map((path) => call("send_request", { path }));
  const results = (await Promise.all(sent)).map(({ value }) => value);
  expect(results.map(({ operation, body }) => [operation, body.users?.length])).toEqual(
    [...paths, ...paths].map((path) =>
      path.includes("idps")
        ? ["getV2Idps", undefined]
        : path.includes("users/")
          ? ["getV2UsersUser-id", undefined]
          : ["getV2Users", Number(path.at(-1))],
    ),
  );
  expect(new Set(results.map(({ exchange }) => exchange)).size).toBe(results.length);
});

test("a request to a registry has no token unless the call names one, and an empty token means no header", async () => {
  const path = "/registry/metadata/v1/info";
  expect((await call("send_request", { path })).value).toMatchObject({ status: 200, clientFindings: [] });
  // The ledger accepts the token, so the registry must not receive it.
  await call("send_request", { path: "/v2/users" });
  const { clientFindings } = (await call("send_request", { path, user: "participant_admin" })).value;
  expect(clientFindings).toMatchObject([{ rule: "token-stays-at-ledger" }]);
  const { status, headers } = (await call("send_request", { path: "/v2/users", token: "" })).value;
  expect([status, headers["Understudy-Reason"]]).toEqual([401, expect.stringContaining("Missing bearer token")]);
});

test("send_request reaches the control API of the stub, and sends a text body as it is", async () => {
  const path = "/__understudy/worlds/default/clock/advance";
  const { value } = await call("send_request", { path, body: '{"by":"PT30S"}' });
  expect(value).toMatchObject({ status: 200, body: { now: "2026-01-01T00:05:30.000Z" } });
});

test("send_request says why the control API gave no response", async () => {
  const given = { path: "/__understudy/worlds", headers: { "Transfer-Encoding": "chunked" } };
  expect((await call("send_request", given)).value).toEqual({
    status: null,
    noResponse: "invalid transfer-encoding header",
  });
});

test("a message about a long argument is short", async () => {
  for (const [name, given] of [
    ["explain", { about: "x".repeat(20_000) }],
    ["stop_stub", { stub: "x".repeat(20_000) }],
    ["search_docs", { query: "word ".repeat(10_000) }],
  ] as const)
    expect((await call(name, given)).text.length, name).toBeLessThan(4100);
});

test("a long body is shortened with a note, and secrets in it are masked", async () => {
  const annotations = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`note-${index}`, "x".repeat(80)]));
  const given = {
    id: "long",
    primaryParty: "",
    isDeactivated: false,
    identityProviderId: "",
    primaryPartyAuthentication: false,
  };
  const metadata = { resourceVersion: "", annotations: { ...annotations, password: "do-not-show" } };
  const { value, text } = await call("send_request", {
    path: "/v2/users",
    body: { user: { ...given, metadata }, rights: [] },
  });
  expect(value.status).toBe(200);
  expect(value.bodyNote).toMatch(/^The first 12000 of \d+ characters\.$/);
  expect(text.length).toBeLessThan(20_000);
  const masked = await call("send_request", { path: "/v2/users/long" });
  expect(`${text}${masked.text}`).not.toContain("do-not-show");
});

test("inject_fault makes the next call fail, as send_request and list_traffic show", async () => {
  const injected = await call("inject_fault", {
    operation: "getV2Idps",
    instead: { error: "PARTICIPANT_BACKPRESSURE" },
  });
  expect(injected.value.pendingFaults).toEqual([{ on: "getV2Idps", nth: 1, calls: 0 }]);
  const refused = await call("send_request", { path: "/v2/idps" });
  expect(refused.value).toMatchObject({ status: 409, body: { code: "PARTICIPANT_BACKPRESSURE" } });
  await call("inject_fault", { operation: "getV2Idps", after: { timeout: true } });
  const { value } = await call("send_request", { path: "/v2/idps" });
  expect(value).toMatchObject({ status: null, noResponse: "timed-out" });
  const { exchanges } = (await call("list_traffic", { onlyProblems: true })).value;
  expect(exchanges.slice(-2)).toMatchObject([
    {
      request: "GET /v2/idps",
      status: 409,
      isInjectedFault: true,
      reason: expect.stringContaining("Planned response"),
    },
    { status: null, noResponse: "timed-out", reason: "planned time-out; the request took effect" },
  ]);
});

test("a lookup gets 409 from unassign to assign", async () => {
  const contract = "external-party-amulet-rules";
  const path = "/registry/transfer-instruction/v2/transfer-factory";
  const lookup = async () => (await call("send_request", { path, body: transferLookup() })).value.status;
  expect(await lookup()).toBe(200);
  const moving = await call("reassign_contract", { step: "unassign", contract, to: "synchronizer-b" });
  expect(moving.value.assignment).toMatchObject({ type: "in-flight", reassignmentCounter: 1 });
  expect(await lookup()).toBe(409);
  const moved = await call("reassign_contract", { step: "assign", contract });
  expect(moved.value.assignment).toMatchObject({ type: "assigned" });
  expect(await lookup()).toBe(200);
});

test("list_traffic shows the newest exchanges, those of other clients too, and says what it omits", async () => {
  const { baseUrl, stub } = (await call("start_stub")).value;
  for (const query of ["pageToken=1", "pageToken=2", "pageToken=3", "pageSize=1"])
    await fetch(`${baseUrl}/v2/users?${query}`, { headers: { Authorization: "Bearer any", Connection: "close" } });
  const { value } = await call("list_traffic", { stub, limit: 2 });
  expect(value).toMatchObject({
    total: 4,
    exchanges: [
      { exchange: 3, request: "GET /v2/users?pageToken=3", status: 400, clientRules: ["page-tokens-from-pages"] },
      { exchange: 4, request: "GET /v2/users?pageSize=1", status: 200 },
    ],
    clientFindings: [{ rule: "page-tokens-from-pages", operation: "getV2Users", count: 3 }],
    note: "Not listed: 2 older exchanges.",
  });
  expect((await call("stop_stub", { stub })).value).toEqual({
    stopped: stub,
    requests: 4,
    clientFindings: 1,
    unusedFaults: [],
  });
  await expect(fetch(`${baseUrl}/v2/users`)).rejects.toThrow("fetch failed");
});

test("a fifth stub is refused with the names of the running ones", async () => {
  const { call: callOther } = await connectedAssistant();
  const all = await Promise.all([1, 2, 3, 4, 5].map(() => callOther("start_stub")));
  expect(new Set(all.flatMap(({ value }) => value?.stub ?? [])).size).toBe(4);
  expect(all.filter(({ isError }) => isError).map(({ text }) => text)).toEqual([
    expect.stringMatching(/^4 stubs are running, which is the limit\. Stop one with stop_stub/),
  ]);
  expect((await callOther("list_traffic")).text).toBe(
    "Several stubs are running: stub-1, stub-2, stub-3, stub-4. Name one with the argument stub.",
  );
});

test("check_har gives the verdict, the violations and the client findings, without tokens", async () => {
  const { value, text } = await call("check_har", { file: "seen.har", profile: "canton-3.5" });
  expect(value).toMatchObject({
    hasPassed: false,
    counts: { exchanges: 2, failed: 1 },
    profile: { ledger: "canton-3.5" },
  });
  expect(value.violations[0]).toMatchObject({ outcome: "FAIL", operation: "getV2Users", status: 400 });
  expect(value.clientFindings).toMatchObject([{ rule: "page-tokens-from-pages" }]);
  expect(text).not.toContain("secret-token-of-alice");
});

test("explain knows every rule, client rule, probe, divergence, error code and operation by a name of its own", async () => {
  const entries = referenceEntries();
  const kinds = Map.groupBy(entries, ({ kind }) => kind);
  expect([...kinds.keys()].length).toBe(7);
  const known = entries.map(({ id }) => id);
  expect(known).toEqual(expect.arrayContaining([...rules, ...probes].map(({ id }) => id)));
  for (const [, [first]] of kinds) {
    const { value } = await call("explain", { about: first?.id });
    expect(value.entries.map(({ id }: { id: string }) => id)).toContain(first?.id);
  }
});

test("explain finds the ids in a message", async () => {
  const about = "KNOWN ledger-400-is-text (DIV-001): PERMISSION_DENIED at getV2Users";
  const { value } = await call("explain", { about });
  expect(value.entries.map(({ id }: { id: string }) => id)).toEqual([
    "ledger-400-is-text",
    "DIV-001",
    "PERMISSION_DENIED",
    "getV2Users",
  ]);
});

test.each([
  ["reassignment 409", "docs/reassignment-window.md"],
  ["run in CI GitHub", "docs/check-in-ci.md"],
  ["how to upgrade to the next release", "docs/migrate.md"],
  ["make a JWT token", "docs/serve.md"],
  ["test another process", "docs/worlds.md"],
])("search_docs finds for %j the page %s", async (query, page) => {
  const { sections } = (await call("search_docs", { query, limit: 3 })).value;
  expect(sections[0].page).toBe(page);
  expect(sections.every(({ text }: { text: string }) => text.length > 0 && text.length <= 2501)).toBe(true);
});

test.each([
  ["start_stub", { profil: "spec" }, 'start_stub has the unknown member "profil". Did you mean "profile"?'],
  ["start_stub", { profile: "canton-3.55" }, 'unknown ledger profile "canton-3.55". Did you mean "canton-3.5"?'],
  ["start_stub", { user: "alic" }, 'user: the fixture has no user "alic". Did you mean "alice"?'],
  ["stop_stub", { stub: "stub-11" }, 'stub: no stub "stub-11" is running. Did you mean "stub-1"?'],
  [
    "send_request",
    {},
    'send_request has no member "path". Add it, for example path: /v2/users?pageSize=2. The schema of send_request describes its arguments.',
  ],
  [
    "send_request",
    { path: "https://example.com/" },
    'send_request.path is "https://example.com/", which does not have the expected format. Write it as /v2/users?pageSize=2.',
  ],
  ["send_request", { path: "/v2", body: {}, method: "GET" }, "body: a GET request has no body. Use another method,"],
  ["send_request", { path: "/v2", token: "a\nb" }, "token: it has characters that a header cannot have."],
  ["send_request", { path: "/v2", headers: { "a b": "" } }, 'headers: "a b" is not a valid header. Use names such as'],
  [
    "inject_fault",
    { operation: "getV2User", instead: { status: 503 } },
    'inject_fault names the unknown operation "getV2User". Did you mean "getV2Users"?',
  ],
  [
    "inject_fault",
    { operation: "getV2Users", instead: { stats: 503 } },
    'inject_fault.instead has the unknown member "stats". Did you mean "status"?',
  ],
  [
    "inject_fault",
    { operation: "getV2Users", after: { stats: 503 } },
    'inject_fault.after has the unknown member "stats". Did you mean "status"?',
  ],
  [
    "inject_fault",
    { operation: "getV2Users", fault: "commit-then-reset", after: {} },
    "inject_fault needs exactly one of fault, instead and after, but has fault and after.",
  ],
  [
    "reassign_contract",
    { step: "unassign", contract: "amulet-rule", to: "synchronizer-b" },
    'The registry has no contract "amulet-rule". Did you mean "amulet-rules"?',
  ],
  [
    "reassign_contract",
    { step: "unassign", contract: "amulet-rules" },
    "to: unassign needs the alias of the target synchronizer. The stub has synchronizer-a, synchronizer-b.",
  ],
  [
    "reassign_contract",
    { step: "assign", contract: "amulet-rules", to: "synchronizer-b" },
    "to: assign completes the move to the synchronizer that unassign named. Omit to.",
  ],
  ["check_har", { file: "-" }, "File not found: ./-"],
  ["check_har", { file: "" }, "check_har.file must NOT have fewer than 1 characters."],
  ["list_traffic", { limit: 1000 }, "list_traffic.limit is 1000; the maximum is 100."],
  ["check_har", { file: "sen.har" }, 'File not found: sen.har. Did you mean "seen.har"?'],
  [
    "check_har",
    { file: "notes.txt" },
    "notes.txt is not a recording: it has no log.entries. A recording is HAR 1.2 from",
  ],
  [
    "explain",
    { about: "page-token-from-pages" },
    'about: there is no rule, probe, divergence, error code or operation "page-token-from-pages". Did you mean "page-tokens-from-pages"?',
  ],
  ["explain", { about: "it does not work" }, "about: the message contains no id of a rule,"],
  ["search_docs", { query: "xyzzy" }, 'query: no page contains words of "xyzzy". Use other words;'],
  ["start_stbu", {}, 'There is no tool "start_stbu". Did you mean "start_stub"?'],
])("%s with %j gets an error with its remedy, and the server goes on", async (name, given, message) => {
  const { isError, text } = await call(name, given);
  expect(isError).toBe(true);
  expect(text).toContain(message);
  expect(text).not.toMatch(/^\s+at /m);
  expect((await call("explain", { about: "DIV-001" })).isError).toBe(false);
});

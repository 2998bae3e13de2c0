import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { Body } from "../../src/foundation/http/body.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { HeaderList } from "../../src/foundation/http/header.ts";
import { textResponse } from "../../src/foundation/http/response.ts";
import { writeHar } from "../../src/recordings/har/write-har.ts";
import { createRedactor } from "../../src/recordings/redaction/redactor.ts";
import { scenarioOf } from "../_scenario.ts";
import { eventsIn, temporaryFolder, understudy } from "./_command-line.ts";
import { alice, asset, signature, stub } from "./_prepared.ts";
import { callByLedgerClient, callByTypedClient, callByWalletSdk } from "./_real-clients.ts";
import { listening } from "./_second-opinion.ts";
import { type RequestedStub, stubOver } from "./_stub.ts";

const users =
  'participantId: participant1::1220ab\nsynchronizers: [{ alias: a, id: "a::1220ab" }]\nusers: [{ id: nina }]\n';

interface Sent {
  readonly method?: string;
  readonly target: string;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly headers?: HeaderList;
  /** The token; empty for none. */
  readonly token?: string;
  /** The recorded response, where the stub does not serve the request. */
  readonly response?: readonly [status: number, body: object];
}

/** Sends requests to a stub, and keeps the exchanges. */
class Recorder {
  readonly exchanges: Exchange[] = [];
  readonly #stub: RequestedStub;

  constructor(requested: RequestedStub) {
    this.#stub = requested;
  }

  send({ target, body, rawBody, headers = [], token = "any", response, ...sent }: Sent): ReturnType<typeof JSON.parse> {
    const text = rawBody ?? (body === undefined ? "" : JSON.stringify(body));
    const method = sent.method ?? (text === "" ? "GET" : "POST");
    const received = this.#stub.ask(target, { method, rawBody: text, headers, token });
    const {
      status,
      contentType = "",
      text: responseText,
    } = response === undefined
      ? received
      : { status: response[0], contentType: "application/json", text: JSON.stringify(response[1]) };
    const startedAt = new Date(Date.parse("2026-01-01T00:00:00Z") + this.exchanges.length).toISOString();
    const bearer = token === "" ? [] : [["Authorization", `Bearer ${token}`] as const];
    const type = text === "" ? [] : [["Content-Type", "application/json"] as const];
    this.exchanges.push({
      startedAt,
      durationMs: 1,
      request: { method, target, headers: [...bearer, ...type, ...headers], body: new Body(text) },
      response: textResponse(status, contentType, responseText),
    });
    return /json/.test(contentType) ? JSON.parse(responseText) : responseText;
  }
}

async function migrated(
  exchanges: readonly Exchange[],
  to = "canton-3.6",
  more: readonly string[] = ["--profile", "canton-3.5"],
) {
  const folder = temporaryFolder();
  const har = writeHar(exchanges, "0.0.0").replace(
    /("Sec-WebSocket-Protocol",\s*"value":\s*)"[^"]*"/,
    '$1"daml.ws.auth, jwt.token.x"',
  );
  writeFileSync(join(folder, "x.har"), har);
  const ran = await understudy(["check", "x.har", "--migrate-to", to, ...more, "--json"], { folder });
  const events = ran.out.trim() === "" ? [] : eventsIn(ran.out);
  const of = (event: string) => events.filter((each) => each.event === event);
  return { ...ran, events, findings: of("finding"), inconclusive: of("inconclusive"), summary: of("summary")[0] };
}

const format = { filtersForAnyParty: {} };
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const right = (kind: string) => ({ userId: "nina", rights: [{ kind: { [kind]: { value: {} } } }] });
const served = () => new Recorder(stubOver({ ledger: users }, "canton-3.5"));

const unknownVet = {
  operation: { Vet: { value: { packages: [{ packageName: "unknown", packageVersion: "1.0.0" }] } } },
};
const changing = { partyDetails: { party: alice, identityProviderId: "other" } };
const padded = { userId: "nina", rights: [], padding: "a".repeat(9 * 1024 * 1024) };
const deep = `{"userId":"nina","rights":[],"unknown":${nested(100)}}`;
const protocols = ["Sec-WebSocket-Protocol", "daml.ws.auth, jwt.token.x"] as const;
const acs = "/v2/state/active-contracts";
const ofNina = "/v2/users/nina/rights";

const rows: Readonly<
  Record<string, readonly [target: string, sent: Omit<Sent, "target">, effect: string, cause: RegExp]>
> = {
  "a disabled endpoint of 3.5": [
    "/v2/package-vetting",
    { body: { changes: [unknownVet], dryRun: true }, response: [200, { newVettedPackages: {} }] },
    "breaks",
    /^POST \/v2\/package-vetting is disabled \(enable-deprecated-endpoints-35\)/,
  ],
  "a disabled endpoint of 3.4": [
    "/v2/updates/transaction-tree-by-offset/7",
    { response: [200, { transaction: {} }] },
    "breaks",
    /transaction-tree-by-offset\/\{offset\} is disabled \(enable-deprecated-endpoints-34\)/,
  ],
  "a disabled member": [
    acs,
    { body: { activeAtOffset: 0, filter: format, verbose: true } },
    "breaks",
    /^the member filter of POST \/v2\/state\/active-contracts is disabled/,
  ],
  "a disabled member of a request that the stub does not serve": [
    "/v2/updates",
    { body: { beginExclusive: 0, filter: format }, response: [200, {}] },
    "breaks",
    /^the member filter of POST \/v2\/updates is disabled/,
  ],
  "a new operation": [
    "/v2/updates/update-by-hash",
    { body: { transactionHash: "AAAA" } },
    "changes",
    /update-by-hash is a new operation/,
  ],
  "a member of the ledger end": [
    "/v2/state/ledger-end",
    {},
    "changes",
    /^the response to \S+ has the new member \/synchronizerTimes/,
  ],
  "a new right": [
    ofNina,
    { body: right("CanActAsAnyParty") },
    "changes",
    /a value of the request at \/rights\/\*\/kind.* is new/,
  ],
  "the header Request-Timeout": ["/v2/users", { headers: [["Request-Timeout", "0"]] }, "breaks", /Request-Timeout/],
  "a body of 9 MiB": [
    ofNina,
    { body: padded, response: [413, {}] },
    "changes",
    /A request body may have 10485760 bytes; before, 8388608/,
  ],
  "a blank in Sec-WebSocket-Protocol": [
    "/v2/authenticated-user",
    { token: "", headers: [protocols] },
    "changes",
    /Sec-WebSocket-Protocol/,
  ],
  "resources of an error": [
    "/v2/users/unknown/rights",
    { body: { userId: "unknown" } },
    "changes",
    /name the plain type, such as USER/,
  ],
  "deeply nested JSON": [ofNina, { rawBody: deep }, "breaks", /nested deeper than 100 levels is refused/],
  "the version": ["/v2/version", {}, "changes", /^GET \/v2\/version reports 3\.6\./],
  "another identity provider of a party": [
    "/v2/parties/alice::1220ab",
    { method: "PATCH", body: changing, response: [403, { code: "PERMISSION_DENIED" }] },
    "warning",
    /identity provider of a party/,
  ],
};

test.each(Object.entries(rows))("finds %s", async (_name, [target, sent, effect, cause]) => {
  const recorder = served();
  recorder.send({ target, ...sent });
  const { exitCode, findings, error } = await migrated(recorder.exchanges);
  expect(error).toBe("");
  expect(findings).toEqual([
    expect.objectContaining({
      effect,
      cause: expect.stringMatching(cause),
      since: "canton-3.6",
      requests: 1,
      example: expect.objectContaining({ exchange: 1 }),
    }),
  ]);
  expect(exitCode).toBe(effect === "breaks" ? 1 : 0);
});

test("finds hashes of transactions and a new hashing scheme, through ids that each stub generates", async () => {
  const recorder = new Recorder(stub());
  const command = { commandId: "c", commands: [asset()], actAs: [alice], synchronizerId: "a::1220ab" };
  const target = "/v2/interactive-submission/prepare";
  recorder.send({ target, body: { ...command, hashingSchemeVersion: "HASHING_SCHEME_VERSION_V4" } });
  const prepared = recorder.send({ target, body: command });
  const { updateId } = recorder.send({
    target: "/v2/interactive-submission/executeAndWait",
    body: {
      preparedTransaction: prepared.preparedTransaction,
      hashingSchemeVersion: prepared.hashingSchemeVersion,
      submissionId: "s",
      deduplicationPeriod: { Empty: {} },
      partySignatures: { signatures: [{ party: alice, signatures: [signature(prepared.preparedTransactionHash)] }] },
    },
  });
  const updateFormat = {
    includeTransactions: { eventFormat: format, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" },
  };
  recorder.send({ target: "/v2/updates/update-by-id", body: { updateId, updateFormat } });
  const { findings, inconclusive } = await migrated(recorder.exchanges);
  expect(findings).toEqual([
    expect.objectContaining({ cause: expect.stringContaining("/hashingSchemeVersion is new"), requests: 1 }),
    expect.objectContaining({ cause: expect.stringContaining("transactionHash"), requests: 1 }),
  ]);
  expect(inconclusive).toEqual([]);
});

const right34 = (party: string) => ({ userId: "nina", rights: [{ kind: { CanActAs: { value: { party } } } }] });
const template = { TemplateFilter: { value: { templateId: `${"ab".repeat(32)}:Main:Asset` } } };
const byPackageId = { filtersForAnyParty: { cumulative: [{ identifierFilter: template }] } };
const vetted = { changes: [unknownVet] };
const dependencies = "TOPOLOGY_DEPENDENCIES_NOT_VETTED";

test.each<readonly [string, string, Omit<Sent, "target">, string, RegExp]>([
  [
    "a filter by package id",
    acs,
    { body: { activeAtOffset: 0, eventFormat: byPackageId } },
    "breaks",
    /a package id is/,
  ],
  ["a right over an unknown party", ofNina, { body: right34("x::1220ab") }, "changes", /parties that do not exist/],
  [
    "an error without a trace id",
    "/v2/users/nobody",
    { response: [404, { code: "A", traceId: null }] },
    "changes",
    /traceId/,
  ],
  ["an unknown path", "/v2/unknown", {}, "changes", /404 of an unknown path has the member ledgerApiError/],
  ["users", "/v2/users", {}, "changes", /^Users have primaryPartyAuthentication/],
  [
    "unvetted dependencies",
    "/v2/package-vetting",
    { body: vetted, response: [400, { code: dependencies }] },
    "changes",
    /dependencies/,
  ],
])("finds %s on the way from release 3.4 to 3.5", async (_name, target, sent, effect, cause) => {
  const recorder = new Recorder(stubOver({ ledger: users }, "canton-3.4.12"));
  recorder.send({ target, ...sent });
  const { findings } = await migrated(recorder.exchanges, "canton-3.5", ["--profile", "canton-3.4.12"]);
  expect(findings).toEqual([expect.objectContaining({ effect, cause: expect.stringMatching(cause) })]);
});

test("says what a recording does not decide, with the number of requests", async () => {
  const recorder = new Recorder(stubOver({ ledger: users }, "canton-3.4.12"));
  recorder.send({ target: ofNina, body: right("CanReadAsAnyParty") });
  const allocation = { identityProviderId: "other" };
  recorder.send({ target: "/v2/parties/external/allocate", body: allocation, response: [200, { partyId: alice }] });
  const { exitCode, events } = await migrated(recorder.exchanges, "canton-3.5", ["--profile", "canton-3.4.12"]);
  expect(exitCode).toBe(0);
  expect(events).toMatchObject([
    { event: "not-decided", what: expect.stringMatching(/^Rights over any party .*\(since canton-3\.5; 1 request\)$/) },
    { event: "not-decided", what: expect.stringMatching(/^An allocation .*\(since canton-3\.5; 1 request\)$/) },
    { event: "summary", same: 2, inconclusive: 0 },
  ]);
});

test("a redacted recording has the findings of the recording, and nothing is inconclusive", async () => {
  const recorder = served();
  for (const [target, sent, effect] of Object.values(rows))
    if (effect !== "warning") recorder.send({ target, ...sent });
  const redactor = createRedactor({ renamesUsers: true });
  const [original, redacted] = [
    await migrated(recorder.exchanges),
    await migrated(recorder.exchanges.map(redactor.redact)),
  ];
  const shown = ({ findings }: typeof original) =>
    findings.map(({ effect, cause, requests }) => [effect, cause, requests]);
  expect(shown(redacted)).toEqual(shown(original));
  expect(redacted.summary).toEqual(original.summary);
  expect(redacted).toMatchObject({ exitCode: 1, inconclusive: [], summary: { inconclusive: 0 } });
});

test("finds nothing in a recording that uses nothing of it", async () => {
  const recorder = served();
  recorder.send({ target: "/v2/users" });
  recorder.send({ target: "/v2/users/nina/rights", body: right("CanReadAsAnyParty") });
  recorder.send({ target: "/v2/state/active-contracts", body: { activeAtOffset: 0, eventFormat: format } });
  recorder.send({ target: "/v2/users", headers: [["Request-Timeout", "5000"]] });
  const { exitCode, findings, inconclusive, summary } = await migrated(recorder.exchanges);
  expect({ exitCode, findings, inconclusive }).toEqual({ exitCode: 0, findings: [], inconclusive: [] });
  expect(summary).toMatchObject({ same: 4, break: 0, change: 0, inconclusive: 0 });
});

test("what release 3.7 announces is a warning, and requests are checked for release 3.6", async () => {
  const recorder = served();
  const claims = (payload: object) => `e30.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.c2ln`;
  recorder.send({ target: "/v2/users", token: claims({ sub: "a", scope: "daml_ledger_api" }) });
  recorder.send({ target: "/v2/users", token: claims({ sub: "a", aud: "node" }) });
  recorder.send({
    target: "/v2/state/active-contracts",
    body: { activeAtOffset: 0, eventFormat: format },
    response: [200, [{ contractEntry: { JsIncompleteAssigned: {} } }]],
  });
  recorder.send({ target: "/v2/package-vetting", body: {}, response: [200, {}] });
  const folder = temporaryFolder();
  const tokens = recorder.exchanges.map(({ request }) => request.headers.find(([name]) => name === "Authorization"));
  const har = JSON.parse(writeHar(recorder.exchanges, "0.0.0"));
  for (const [index, { request }] of har.log.entries.entries())
    for (const header of request.headers) if (header.name === "Authorization") header.value = tokens[index]?.[1];
  writeFileSync(join(folder, "x.har"), JSON.stringify(har));
  const { out, exitCode } = await understudy(["check", "x.har", "--migrate-to", "canton-3.7"], { folder });
  expect(exitCode).toBe(1);
  const warnings = out.split("\n").filter((line) => line.startsWith("WARNING"));
  expect(warnings).toEqual([
    "WARNING tokens without an audience are refused (1 request; since canton-3.7)",
    "WARNING incomplete reassignments are listed only on request (1 request; since canton-3.7)",
    "WARNING the endpoints that release 3.6 disables are removed (1 request; since canton-3.7)",
  ]);
  expect(out).toContain("to canton-3.7; requests are checked for canton-3.6, later changes are announced.");
  expect(out).toContain("BREAKS  POST /v2/package-vetting is disabled");
  expect(out).toContain("NOT DECIDED ANN-007");
  expect(out).toContain(
    "NOT DECIDED ANN-004 tokens without an audience are refused (canton-3.7): the recording does not",
  );
});

test("a recording of release 3.6 shows the deprecated features that its node has enabled", async () => {
  const enabled =
    "deprecatedFeatures: { enable-deprecated-endpoints-35: true, enable-deprecated-parameters-34: true }\n";
  const recorder = new Recorder(stubOver({ ledger: `${users}${enabled}` }, "canton-3.6"));
  recorder.send({ target: "/v2/version" });
  recorder.send({ method: "GET", target: "/v2/package-vetting", rawBody: "{}" });
  recorder.send({
    target: "/v2/state/active-contracts",
    body: { activeAtOffset: 0, filter: { filtersByParty: { [alice]: {} } } },
  });
  const { exitCode, findings, inconclusive, summary } = await migrated(recorder.exchanges, "canton-3.7", []);
  expect({ exitCode, inconclusive }).toEqual({ exitCode: 0, inconclusive: [] });
  expect(summary).toMatchObject({ from: "canton-3.6", same: 3 });
  const stated = (feature: string) => `The node of the recording has enabled ${feature}, which no longer exists.`;
  expect(findings.map(({ effect, advice }) => [effect, advice])).toEqual([
    ["warning", `Use POST /v2/package-vetting/list. ${stated("enable-deprecated-endpoints-35")}`],
    ["warning", `Use eventFormat. ${stated("enable-deprecated-parameters-34")}`],
  ]);
});

test("warnings alone do not fail the check", async () => {
  const recorder = served();
  const command = { commandId: "c", commands: [], actAs: [], minLedgerTime: { time: { Empty: {} } } };
  recorder.send({ target: "/v2/interactive-submission/prepare", body: command });
  const { exitCode, findings } = await migrated(recorder.exchanges, "canton-3.7", ["--profile", "canton-3.6"]);
  expect(findings).toEqual([
    expect.objectContaining({ effect: "warning", evidence: expect.stringMatching(/^ANN-006 /) }),
  ]);
  expect(exitCode).toBe(0);
});

test("a request whose response shows nothing of a described operation is inconclusive", async () => {
  const recorder = served();
  recorder.send({ target: "/v2/users/nina", response: [503, { code: "SERVICE_NOT_RUNNING" }] });
  recorder.send({ target: "/v2/dars", response: [200, {}] });
  const { exitCode, error, findings, inconclusive } = await migrated(recorder.exchanges);
  expect({ exitCode, findings }).toEqual({ exitCode: 5, findings: [] });
  expect(error).toContain("No request was compared");
  expect(inconclusive.map(({ reason }) => reason)).toEqual([
    "the recording has 503 SERVICE_NOT_RUNNING",
    "no description of the releases has the operation",
  ]);
});

const laterVersion = /^GET \/v2\/version reports 3\.6\./;

test.each<readonly [string, (url: string) => Promise<void>, readonly RegExp[], object]>([
  [
    "ledger client",
    callByLedgerClient,
    [/^POST \/v2\/package-vetting is disabled/, laterVersion],
    { break: 1, change: 1, same: 5, inconclusive: 0 },
  ],
  ["typed client", callByTypedClient, [/name the plain type/], { break: 0, change: 1, same: 3, inconclusive: 0 }],
  ["wallet SDK", callByWalletSdk, [laterVersion], { break: 0, change: 1, same: 18, inconclusive: 0 }],
])("finds what concerns the published %s", async (_name, call, causes, counts) => {
  const exchanges: Exchange[] = [];
  const scenario = scenarioOf("quickstart", { profile: "canton-3.5" });
  const { handler } = hostScenario(scenario, { wallNowMs: () => 0 });
  const front = await listening(async (request) => {
    const response = await handler(request);
    exchanges.push({ startedAt: new Date(0).toISOString(), durationMs: 1, request, response });
    return response;
  });
  await call(front.url);
  await front.close();
  const { findings, summary } = await migrated(exchanges);
  expect(findings.map(({ cause }) => cause)).toEqual(causes.map((cause) => expect.stringMatching(cause)));
  expect(summary).toMatchObject(counts);
});

function recordingOf(...responses: readonly string[]): readonly Exchange[] {
  const recorder = served();
  for (const version of responses) recorder.send({ target: "/v2/version", response: [200, { version }] });
  recorder.send({ target: "/v2/users" });
  return recorder.exchanges;
}

test.each([
  ["canton-3.6", ["3.5.2"], "From canton-3.5 (the recording has version 3.5.2; --profile sets it) to canton-3.6."],
  [
    "canton-3.7",
    ["3.4.8"],
    "From canton-3.4.11 (the recording has version 3.4.8; --profile sets it) to canton-3.7; requests are checked for canton-3.6, later changes are announced.",
  ],
  [
    "canton-3.5",
    ["3.3.1"],
    "From canton-3.4.11 (the nearest to version 3.3.1 of the recording; --profile sets it) to canton-3.5.",
  ],
  ["canton-3.6", [], "From canton-3.5 (inferred; --profile sets it) to canton-3.6."],
])("checks for %s a recording with versions %j", async (release, recorded, head) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "x.har"), writeHar(recordingOf(...recorded), "0.0.0"));
  const { exitCode, out, error } = await understudy(["check", "x.har", "--migrate-to", release], { folder });
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
  expect(out.split("\n")[0]).toBe(head);
});

test.each([
  [["x.har", "--migrate-to", "canton-3.4.12"], /--migrate-to canton-3\.4\.12 is not later than canton-3\.5/],
  [["x.har", "--migrate-to", "canton-4"], /canton-4/],
  [["x.har", "x.har", "--migrate-to", "canton-3.6"], /takes one recording/],
  [["-", "--migrate-to", "canton-3.6"], /reads the recording twice/],
  [["x.har", "--migrate-to", "canton-3.6", "--report", "a.html"], /--report has no effect with --migrate-to/],
  [["--ledger", "http://localhost:1", "--migrate-to", "canton-3.6"], /applies to a recording/],
  [["x.har", "--migrate-to", "http://localhost:1"], /--migrate-to http:\/\/localhost:1: unknown release\./],
  [["x.har", "--migrate-to", "canton-3.6", "--token", "x"], /--token has no effect with --migrate-to/],
  [["x.har", "--migrate-to", "canton-3.6", "--writes"], /--writes has no effect with --migrate-to/],
])("understudy check %j reports the problem", async (words, problem) => {
  const folder = temporaryFolder();
  const recorder = served();
  recorder.send({ target: "/v2/users" });
  writeFileSync(join(folder, "x.har"), writeHar(recorder.exchanges, "0.0.0"));
  const { exitCode, error } = await understudy(["check", ...words], { folder });
  expect({ exitCode, error }).toMatchObject({ exitCode: 2, error: expect.stringMatching(problem) });
});

test("a recording without a request to a ledger or registry is incomplete", async () => {
  const folder = temporaryFolder();
  const other = served();
  other.send({ target: "/favicon.ico" });
  writeFileSync(join(folder, "favicon.har"), writeHar(other.exchanges, "0.0.0"));
  const ran = await understudy("check favicon.har --migrate-to canton-3.6", { folder });
  expect(ran).toMatchObject({
    exitCode: 5,
    error: expect.stringContaining("has no request to a ledger or registry"),
  });
});

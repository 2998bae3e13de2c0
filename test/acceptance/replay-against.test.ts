import { expect, test } from "vitest";
import { Body } from "../../src/foundation/http/body.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { Handler } from "../../src/foundation/http/handler.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { createRedactor } from "../../src/recordings/redaction/redactor.ts";
import type { SentAgain } from "../../src/recordings/replay/send-again.ts";
import { harEntry, harLines } from "../_har.ts";
import { scenarioOf } from "../_scenario.ts";
import { playing } from "./_inferred.ts";
import {
  exchangeOf,
  harOf,
  json,
  nodeOf,
  oneLedgerNames,
  recordedFrom,
  releaseFor,
  scenarioNames,
  sentAgain,
} from "./_replayed.ts";

const hex = (digit: string) => `1220${digit.repeat(64)}`;

/** A node that responds from a list and keeps its requests. */
function scripted(...bodies: readonly (object | number)[]): {
  readonly handler: Handler;
  readonly requested: Request[];
} {
  const requested: Request[] = [];
  const handler: Handler = async (request) => {
    requested.push(request);
    const body = bodies[requested.length - 1] ?? {};
    return exchangeOf(request, typeof body === "number" ? body : 200, typeof body === "number" ? {} : body).response;
  };
  return { handler, requested };
}

const targets = (requested: readonly Request[]) => requested.map(({ target }) => target);

/** The differences as `exchange aspect pointer`. */
function found(sent: readonly SentAgain[]): readonly string[] {
  return sent.flatMap((item) =>
    item.type === "different"
      ? item.differences.map(({ aspect, pointer }) => `${item.number} ${aspect} ${pointer}`.trim())
      : [],
  );
}

test.each(oneLedgerNames)("a stub in the same release returns the traffic of %s as it was recorded", async (name) => {
  const exchanges = await recordedFrom(name);
  const scenario = scenarioOf(name, { seed: 4711 });
  const sent = await sentAgain(harOf(exchanges), [nodeOf(playing(scenario, releaseFor(scenario)))]);
  expect(found(sent)).toEqual([]);
  expect(sent.map(({ type }) => type)).toEqual(exchanges.map(() => "same"));
});

test("another release shows its known differences", async () => {
  const har = harOf(await recordedFrom("update-user"));
  const bySpec = await sentAgain(har, [nodeOf(playing(scenarioOf("update-user"), "spec"))]);
  expect(found(bySpec)).toEqual(["3 missing /definiteAnswer", "4 media-type"]);
  const older = await sentAgain(har, [nodeOf(playing(scenarioOf("update-user"), "canton-3.4.12"))]);
  expect(found(older).filter((line) => !line.includes("primaryPartyAuthentication"))).toEqual([]);
  expect(found(older)).toContain("1 missing /user/primaryPartyAuthentication");
});

test("reports the fault of a node, and nothing else", async () => {
  const stub = playing(scenarioOf("vetting"), "canton-3.5");
  let count = 0;
  const faulty: Handler = async (request) => {
    count += 1;
    const response = await stub(request);
    if (count !== 2 || response.type !== "response") return response;
    const text = response.body.text().replace(/"topologySerial":(\d+)/g, '"topologySerial":1$1');
    const { type, status, headers } = response;
    return { type, status, headers, body: new Body(text) };
  };
  const sent = await sentAgain(harOf(await recordedFrom("vetting")), [nodeOf(faulty)]);
  expect(found(sent)).toEqual([
    "2 value /pastVettedPackages/topologySerial",
    "2 value /newVettedPackages/topologySerial",
  ]);
});

test("ids in recorded requests become the ids that the node returned", async () => {
  const party = `alice::${hex("1")}`;
  const own = `p-77::${hex("9")}`;
  const exchanges = [
    exchangeOf(json("POST", "/v2/parties", { partyIdHint: "" }), 200, { partyDetails: { party, isLocal: true } }),
    exchangeOf(json("GET", "/v2/state/ledger-end"), 200, { offset: 12 }),
    exchangeOf(json("GET", `/v2/parties/${encodeURIComponent(party)}`), 200, { partyDetails: [] }),
    exchangeOf(
      json("POST", "/v2/state/active-contracts", {
        activeAtOffset: 12,
        eventFormat: { filtersByParty: { [party]: {} } },
      }),
      200,
      [],
    ),
    exchangeOf(json("GET", "/v2/users?pageSize=1"), 200, { users: [], nextPageToken: "old/token" }),
    exchangeOf(json("GET", "/v2/users?pageSize=1&pageToken=old%2Ftoken"), 200, { users: [], nextPageToken: "" }),
  ];
  const { handler, requested } = scripted(
    { partyDetails: { party: own, isLocal: true } },
    { offset: 900 },
    { partyDetails: [] },
    [],
    { users: [], nextPageToken: "new+token" },
    { users: [], nextPageToken: "" },
  );
  const sent = await sentAgain(harOf(exchanges), [nodeOf(handler)]);
  expect(found(sent)).toEqual([]);
  expect(targets(requested)).toEqual([
    "/v2/parties",
    "/v2/state/ledger-end",
    `/v2/parties/${encodeURIComponent(own)}`,
    "/v2/state/active-contracts",
    "/v2/users?pageSize=1",
    "/v2/users?pageSize=1&pageToken=new%2Btoken",
  ]);
  expect(JSON.parse(requested[3]?.body.text() ?? "")).toEqual({
    activeAtOffset: 900,
    eventFormat: { filtersByParty: { [own]: {} } },
  });
});

test("a request that needs a missing id is not sent; all others are", async () => {
  const contract = `00${"ab".repeat(68)}`;
  const other = `00${"cd".repeat(68)}`;
  const exchanges = [
    exchangeOf(json("GET", "/v2/first"), 200, { contractId: contract }),
    exchangeOf(json("GET", `/v2/needs/${contract}`), 200, { contractId: other }),
    exchangeOf(json("GET", `/v2/needs/${other}`), 200, {}),
    exchangeOf(json("GET", "/v2/free"), 200, {}),
  ];
  const { handler, requested } = scripted(500, {});
  const sent = await sentAgain(harOf(exchanges), [nodeOf(handler)]);
  expect(targets(requested)).toEqual(["/v2/first", "/v2/free"]);
  expect(sent).toMatchObject([
    { type: "different", differences: [{ aspect: "status", oracle: 200, target: 500 }] },
    { type: "dependent", on: [1], names: [contract] },
    { type: "dependent", on: [2], names: [other] },
    { type: "same" },
  ]);
});

test("an id that the node returns unchanged is sent unchanged", async () => {
  const generated = { partyId: "", publicKeyFingerprint: "1220ab", topologyTransactions: [], multiHash: "" };
  const signed = { multiHashSignatures: [{ signature: "AAAA", signedBy: "1220ab" }], onboardingTransactions: [] };
  const exchanges = [
    exchangeOf(json("POST", "/v2/parties/external/generate-topology", { partyHint: "p" }), 200, generated),
    exchangeOf(json("POST", "/v2/parties/external/allocate", signed), 200, {}),
  ];
  const { handler, requested } = scripted(generated, {});
  await sentAgain(harOf(exchanges), [nodeOf(handler)]);
  expect(requested[1]?.body.text()).toContain('"signedBy":"1220ab"');
});

test("an id that a later response returns is used from then on", async () => {
  const contract = `00${"ab".repeat(68)}`;
  const exchanges = [
    exchangeOf(json("GET", "/v2/first"), 200, { contractId: contract }),
    exchangeOf(json("GET", "/v2/second"), 200, { contractId: contract }),
    exchangeOf(json("GET", `/v2/needs/${contract}`), 200, {}),
  ];
  const own = `00${"ef".repeat(68)}`;
  const { handler, requested } = scripted(404, { contractId: own }, {});
  await sentAgain(harOf(exchanges), [nodeOf(handler)]);
  expect(targets(requested).at(-1)).toBe(`/v2/needs/${own}`);
});

const user = (id: string) => ({ user: { id, isDeactivated: false } });
const writing = [
  exchangeOf(json("POST", "/v2/users", user("u")), 200, user("u")),
  exchangeOf(json("GET", "/v2/users/u"), 200, user("u")),
  exchangeOf(json("POST", "/v2/package-vetting", { changes: [], dryRun: true }), 200, {}),
  exchangeOf(json("POST", "/v2/package-vetting", { changes: [] }), 200, {}),
  exchangeOf(json("POST", "/v2/package-vetting/list", {}), 200, {}),
  exchangeOf(json("POST", "/registry/transfer-instruction/v2/transfer-factory", { choiceArguments: {} }), 200, {}),
  exchangeOf(json("DELETE", "/v2/users/u"), 200, {}),
  exchangeOf(json("POST", "/v2/somewhere", {}), 200, {}),
];

test("without --writes only reads, lookups and dry runs are sent, and differences name the writes that were not sent", async () => {
  const { handler, requested } = scripted(404);
  const sent = await sentAgain(harOf(writing), [nodeOf(handler)], { areWritesAllowed: false });
  expect(targets(requested)).toEqual([
    "/v2/users/u",
    "/v2/package-vetting",
    "/v2/package-vetting/list",
    "/registry/transfer-instruction/v2/transfer-factory",
  ]);
  expect(requested[1]?.body.text()).toContain('"dryRun":true');
  expect(sent.filter(({ type }) => type === "not-sent").map(({ number }) => number)).toEqual([1, 4, 7, 8]);
  expect(sent[1]).toMatchObject({ type: "different", after: [1] });
});

test("a request to neither API is not sent, and the path prefix of the recorded node is removed", async () => {
  const at = (url: string) => exchangeOf({ ...json("GET", url), headers: [] }, 200, {});
  const { handler, requested } = scripted();
  const sent = await sentAgain(
    harOf([
      at("https://login.example.com/oauth/token?client_secret=x"),
      at("https://node.example.com/participant/v2/idps"),
      at("https://api.example.com/registrars/r/registry/metadata/v1/info"),
    ]),
    [nodeOf(handler)],
  );
  expect(targets(requested)).toEqual(["/v2/idps", "/registry/metadata/v1/info"]);
  expect(sent[0]).toMatchObject({ type: "not-sent", reason: "it is not a request to the ledger or the registry" });
});

test("a registry at another address gets its requests, and a missing control API gets none", async () => {
  const [ledger, registry] = [scripted(), scripted()];
  const handlers = { ledger: ledger.handler, registry: registry.handler, control: undefined };
  const har = harOf([...writing, exchangeOf(json("POST", "/__understudy/worlds/default/reset", {}), 200, {})]);
  const sent = await sentAgain(har, [{ handlers, given: [] }]);
  expect([ledger.requested.length, registry.requested.length]).toEqual([7, 1]);
  expect(sent.at(-1)).toMatchObject({ type: "not-sent", reason: "the target has no control API" });
});

/** A recorded request with a token. */
function tokened(token: string, status: number, method = "GET"): Exchange {
  return exchangeOf({ ...json(method, "/v2/users/u", undefined, token) }, status, {});
}

test("a placeholder in the recording selects the token to send; a recorded token is never sent", async () => {
  const more = { Cookie: "session=1", Accept: "application/json" };
  const har = harLines(
    ["token-1", "token-2", "eyJreal", ""].map((token) =>
      harEntry("/v2/users/u", {
        headers: { ...Object.fromEntries(json("GET", "", undefined, token).headers), ...more },
      }),
    ),
  );
  const { handler, requested } = scripted();
  const sent = await sentAgain(har, [nodeOf(handler)], {
    tokenFor: (placeholder) => ({ "token-1": "administrator", "token-2": undefined })[placeholder] ?? undefined,
  });
  expect(requested.map(({ headers }) => headers.map(([name, value]) => `${name}: ${value}`))).toEqual([
    ["Content-Type: application/json", "Accept: application/json", "Authorization: Bearer administrator"],
    ["Content-Type: application/json", "Accept: application/json", "Authorization: Bearer administrator"],
    ["Content-Type: application/json", "Accept: application/json"],
  ]);
  expect(sent[1]).toMatchObject({ type: "not-sent", reason: "no token is given for token-2" });
});

test("a recorded write that was refused is not sent with the token of another user", async () => {
  const { handler, requested } = scripted();
  const sent = await sentAgain(harOf([tokened("x", 403, "DELETE"), tokened("x", 200, "DELETE")]), [nodeOf(handler)]);
  expect(requested).toHaveLength(1);
  expect(sent[0]).toMatchObject({ type: "not-sent", reason: expect.stringContaining("refused") });
});

test("two nodes get the same requests, each with its own ids, and are compared", async () => {
  const party = (digit: string) => `alice::${hex(digit)}`;
  const exchanges = [
    exchangeOf(json("GET", "/v2/parties/participant-id"), 200, { participantId: party("1"), old: true }),
    exchangeOf(json("GET", `/v2/parties/${encodeURIComponent(party("1"))}`), 200, { partyDetails: [] }),
  ];
  const first = scripted({ participantId: party("2") }, { partyDetails: [], x: 1 });
  const second = scripted({ participantId: party("3") }, { partyDetails: [], x: 2 });
  const sent = await sentAgain(harOf(exchanges), [nodeOf(first.handler), nodeOf(second.handler)]);
  expect([targets(first.requested)[1], targets(second.requested)[1]]).toEqual(
    ["2", "3"].map((digit) => `/v2/parties/${encodeURIComponent(party(digit))}`),
  );
  expect(found(sent)).toEqual(["2 value /x"]);
});

test("--name replaces a recorded id with that of the node", async () => {
  const { handler, requested } = scripted();
  const [recorded, own] = [`alice::${hex("1")}`, `bob::${hex("2")}`];
  const har = harOf([exchangeOf(json("GET", `/v2/parties/${encodeURIComponent(recorded)}`), 200, {})]);
  await sentAgain(har, [{ ...nodeOf(handler), given: [[recorded, own]] }]);
  expect(targets(requested)).toEqual([`/v2/parties/${encodeURIComponent(own)}`]);
});

test("reports overlapping exchanges, and stops when the user stops it", async () => {
  const at = (startedAt: string, durationMs: number): Exchange => ({
    ...exchangeOf(json("GET", "/v2/idps"), 200, {}),
    startedAt: `2026-01-01T00:00:${startedAt}Z`,
    durationMs,
  });
  const har = harOf([at("00.000", 100), at("00.050", 10), at("00.200", 10)]);
  const { handler, requested } = scripted();
  const sent = await sentAgain(har, [nodeOf(handler)], { isStopped: () => requested.length === 2 });
  expect(sent.map(({ hasOverlapped }) => hasOverlapped)).toEqual([false, true]);
});

test("a response that the recording does not have is not compared", async () => {
  const exchange: Exchange = { ...tokened("x", 200), response: { type: "broken", kind: "unexplained" } };
  const reset: Exchange = { ...tokened("x", 200), response: { type: "broken", kind: "reset" } };
  const sent = await sentAgain(harOf([exchange, reset]), [nodeOf(scripted().handler)]);
  expect(sent).toMatchObject([{ type: "not-compared" }, { type: "different", differences: [{ aspect: "response" }] }]);
});

test.each(scenarioNames)("sends no pseudonym of a redacted %s that the target does not know", async (name) => {
  const redactor = createRedactor();
  const har = harOf((await recordedFrom(name)).map(redactor.redact));
  const scenario = scenarioOf(name);
  const stub = playing(scenario, releaseFor(scenario));
  const traffic = { sent: "", received: "" };
  const handler: Handler = async (request) => {
    traffic.sent += request.target + withDecoded(request.body.text());
    const response = await stub(request);
    if (response.type === "response") traffic.received += withDecoded(response.body.text());
    return response;
  };
  await sentAgain(har, [nodeOf(handler)]);
  const ids = redactor.names().filter(({ kind }) => ["fingerprint", "contract", "update"].includes(kind));
  const isUnknown = (pseudonym: string) => traffic.sent.includes(pseudonym) && !traffic.received.includes(pseudonym);
  expect(ids.filter((id) => isUnknown(id.name))).toEqual([]);
});

/** The text with its base64 values decoded. */
const withDecoded = (text: string) =>
  [text, ...[...text.matchAll(/[A-Za-z0-9+/]{24,}={0,2}/g)].map(([run]) => Buffer.from(run, "base64"))].join(" ");

test("a pseudonym is sent only with its mapping, and the reason says how to give one", async () => {
  const party = `alice::${hex("a")}`;
  const grant = json("POST", "/v2/users/bob/rights", { rights: [{ kind: { CanActAs: { value: { party } } } }] });
  const redactor = createRedactor({ renamesUsers: true });
  const exchange = redactor.redact(exchangeOf(grant, 200, {}));
  const har = harOf([exchange, exchange]);
  const [pseudonym = ""] = exchange.request.body.text().match(/party-1::1220[0-9a-f]{64}/) ?? [];
  const { handler, requested } = scripted();
  const reason = expect.stringMatching(/^it has pseudonyms: .*\. Give the target's ids with --name .*=ID$/);
  const given = [["renamed-user-1", "bob"]] as const;
  const none = await sentAgain(har, [nodeOf(handler)]);
  expect(none).toMatchObject([1, 2].map(() => ({ type: "not-sent", reason })));
  expect(none).toMatchObject([1, 2].map(() => ({ reason: expect.stringContaining("renamed-user-1") })));
  const half = await sentAgain(har, [{ ...nodeOf(handler), given }]);
  expect(half).toMatchObject(
    [1, 2].map(() => ({
      type: "not-sent",
      reason: `it has pseudonyms: ${pseudonym}. Give the target's ids with --name ${pseudonym}=ID`,
    })),
  );
  expect(requested).toEqual([]);
  await sentAgain(har, [{ ...nodeOf(handler), given: [...given, [pseudonym, party]] }]);
  expect(targets(requested)).toEqual(["/v2/users/bob/rights", "/v2/users/bob/rights"]);
  expect(requested.map(({ body }) => body.text())).toEqual([grant, grant].map(({ body }) => body.text()));
});

test("a message in base64 with pseudonyms is not sent", async () => {
  const transaction = Buffer.from(`\n\u0051participant-1::${hex("b")}`).toString("base64");
  const allocation = json("POST", "/v2/parties/external/allocate", { onboardingTransactions: [{ transaction }] });
  const exchange = createRedactor().redact(exchangeOf(allocation, 200, {}));
  const { handler, requested } = scripted();
  const [sent] = await sentAgain(harOf([exchange]), [nodeOf(handler)]);
  expect(sent).toMatchObject({ type: "not-sent", reason: expect.stringContaining("message in base64") });
  expect(requested).toEqual([]);
});

import { expect, test } from "vitest";
import { Body, emptyBody } from "../../src/foundation/http/body.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import { harEntry, harLines } from "../_har.ts";
import { lookupSample } from "../_sample-responses.ts";
import {
  exchangeOf,
  harOf,
  json,
  recordedFrom,
  renamed,
  replaying,
  scenarioNames,
  shownResponse,
  textIn,
  withNames,
} from "./_replayed.ts";

const party = (hint: string, digit = "1") => `${hint}::1220${digit.repeat(64)}`;
const created = (id: string) =>
  exchangeOf(json("POST", "/v2/users", { user: { id } }), 200, { user: { id, primaryParty: "" } });
const read = (id: string, isDeactivated = false) =>
  exchangeOf(json("GET", `/v2/users/${id}`), 200, { user: { id, isDeactivated } });

test.each(scenarioNames)("a client that sends the same requests gets the recorded responses of %s", async (name) => {
  const exchanges = await recordedFrom(name);
  const expected = exchanges.map(({ response: received }) => shownResponse(received));
  for (const match of ["loose", "strict"] as const) {
    const { send, replayer } = await replaying(harOf(exchanges), { match });
    const received = [];
    for (const { request } of exchanges) received.push(shownResponse(await send(request)));
    expect(received).toEqual(expected);
    const others = { repeated: 0, continued: 0, unmatched: 0, neverRequested: 0 };
    expect(replayer.summary).toEqual({ matched: exchanges.length, ...others });
  }
  expect(exchanges.length).toBeGreaterThan(0);
});

test.each(scenarioNames)("a client with other names gets the recorded responses of %s in its names", async (name) => {
  const names = { alice: "zoe-1", bob: "yuri", first: "s-1", second: "s-2", third: "s-3" };
  const exchanges = (await recordedFrom(name)).filter(({ request }) => !request.target.startsWith("/__understudy"));
  const { send, replayer } = await replaying(harOf(exchanges));
  const [actual, expected]: [unknown[], unknown[]] = [[], []];
  for (const { request, response: received } of exchanges) {
    const live = shownResponse(await send(renamed(request, names)));
    actual.push(known(live, names));
    expected.push(known(JSON.parse(withNames(JSON.stringify(shownResponse(received)), names)), names));
  }
  expect(actual).toEqual(expected);
  expect(replayer.summary).toMatchObject({ matched: exchanges.length, unmatched: 0 });
});

/** Names that no request has sent before stay as recorded. */
function known(received: unknown, names: Readonly<Record<string, string>>): unknown {
  const back = Object.fromEntries(Object.entries(names).map(([from, to]) => [to, from]));
  return JSON.parse(withNames(JSON.stringify(received), back));
}

test("names of a client appear everywhere in responses and errors", async () => {
  const error = {
    code: "USER_NOT_FOUND",
    cause: `getting user failed for unknown user "alice" of ${party("alice")}`,
    resources: [["ErrorResource(USER)", "alice"]],
    context: {},
    errorCategory: 11,
  };
  const granted = { newlyGrantedRights: [{ kind: { CanActAs: { value: { party: party("alice") } } } }] };
  const rights = (user: string, holder: string) =>
    json("POST", `/v2/users/${user}/rights`, {
      userId: user,
      rights: [{ kind: { CanActAs: { value: { party: holder } } } }],
    });
  const { send, textOf } = await replaying(
    harOf([
      exchangeOf(rights("alice", party("alice")), 200, granted),
      exchangeOf(json("GET", "/v2/users/alice"), 404, error),
      exchangeOf(json("GET", `/v2/parties/${party("alice")}`), 400, `INVALID_ARGUMENT: alice is no party`),
    ]),
  );
  expect(textIn(await send(rights("carol", party("dora", "2"))))).toBe(
    JSON.stringify({ newlyGrantedRights: [{ kind: { CanActAs: { value: { party: party("dora", "2") } } } }] }),
  );
  expect(JSON.parse(await textOf("GET", "/v2/users/carol"))).toMatchObject({
    cause: `getting user failed for unknown user "carol" of ${party("dora", "2")}`,
    resources: [["ErrorResource(USER)", "carol"]],
  });
  expect(await textOf("GET", `/v2/parties/${encodeURIComponent(party("dora", "2"))}`)).toBe(
    "INVALID_ARGUMENT: carol is no party",
  );
});

test("a response changes only where a name changes", async () => {
  const text = '{ "user" : {"id":"alice", "n": 1.50, "long": 12345678901234567890, "escaped": "\\u00e9\\/"} }\n';
  const { request } = read("alice");
  const received = { type: "response", status: 200, headers: [["Content-Type", "application/json"]] } as const;
  const exchange = { ...read("alice"), request, response: { ...received, body: new Body(text) } };
  for (const name of ["alice", "zoë".normalize("NFD").slice(0, 2)]) {
    const { textOf } = await replaying(harOf([exchange]));
    expect(await textOf("GET", `/v2/users/${name}`)).toBe(text.replace("alice", name));
  }
});

test("requests in any order get their own responses", async () => {
  const exchanges = ["a", "b", "c", "d"].flatMap((id) => [created(id), read(id)]);
  const { send, replayer } = await replaying(harOf(exchanges));
  for (const { request, response: received } of exchanges.toReversed())
    expect(shownResponse(await send(request))).toEqual(shownResponse(received));
  expect(replayer.summary).toMatchObject({ matched: 8, repeated: 0, neverRequested: 0 });
});

test.each(["loose", "strict"] as const)(
  "HEAD gets the head of the recorded GET, which remains (--match %s)",
  async (match) => {
    const { send, events, replayer } = await replaying(harOf([read("a"), created("b")]), { match });
    const head = { ...read("a").request, method: "HEAD" };
    expect(await send(head)).toMatchObject({ status: 200 });
    expect(await send({ ...head, target: "/v2/idps" })).toMatchObject({ status: 501 });
    expect(await send(read("a").request)).toMatchObject({ status: 200 });
    expect(events.map(({ outcome }) => outcome)).toEqual(["repeated", "unmatched", "matched"]);
    expect(replayer.summary).toMatchObject({ matched: 1, neverRequested: 1 });
  },
);

test("HEAD gets the response to a recorded HEAD", async () => {
  const head = { ...read("a"), request: { ...read("a").request, method: "HEAD" } };
  const { send, events } = await replaying(harOf([read("a"), head]));
  await send(head.request);
  expect(events).toMatchObject([{ outcome: "matched", number: 2 }]);
});

test("several responses to the same request are replayed in order, then the last again", async () => {
  const { textOf, events } = await replaying(harOf([read("a"), read("a", true), read("b")]));
  const received = [];
  for (let nth = 0; nth < 4; nth += 1) received.push(await textOf("GET", "/v2/users/a"));
  expect(received.map((text) => JSON.parse(text).user.isDeactivated)).toEqual([false, true, true, true]);
  const expected = ["matched 1", "matched 2", "repeated 2", "repeated 2"];
  expect(events.map(({ outcome, number }) => `${outcome} ${number}`)).toEqual(expected);
});

test("a name of a client matches one recorded name only", async () => {
  const { statusOf, events } = await replaying(harOf([created("a"), read("a"), created("b")]));
  const ids = (method: string, id: string) =>
    method === "POST" ? statusOf(method, "/v2/users", { user: { id } }) : statusOf(method, `/v2/users/${id}`);
  expect([await ids("POST", "x"), await ids("GET", "x"), await ids("GET", "a")]).toEqual([200, 200, 501]);
  expect(events.at(-1)?.nearest[0]?.differences).toMatchObject([
    { in: "path", pointer: "/user-id", recorded: "a", requested: "a", why: "x stands for a" },
  ]);
  expect(await ids("POST", "x")).toBe(200);
  expect(events.at(-1)).toMatchObject({ outcome: "repeated", number: 1 });
  expect([await ids("POST", "y"), await ids("POST", "z")]).toEqual([200, 501]);
});

test("a name from a response cannot match another recorded name", async () => {
  const listed = exchangeOf(json("GET", "/v2/users"), 200, { users: [{ id: "a" }], nextPageToken: "" });
  const { statusOf } = await replaying(harOf([listed, read("a")]));
  const statuses = [await statusOf("GET", "/v2/users"), await statusOf("GET", "/v2/users/other")];
  expect([...statuses, await statusOf("GET", "/v2/users/a")]).toEqual([200, 501, 200]);
});

test("matching ignores times, signatures, trace ids, tokens, member order and other headers", async () => {
  const lookup = (requestedAt: string, more: object = {}) => ({ choiceArguments: { requestedAt, n: 1 }, ...more });
  const path = "/registry/transfer-instruction/v2/transfer-factory";
  const signed = (signature: string) => ({ signatures: [{ signature, format: "F" }], traceId: signature });
  const { send, events } = await replaying(
    harOf([
      exchangeOf(json("POST", path, lookup("2026-01-01T00:00:00Z")), 200, {}),
      exchangeOf(json("POST", "/v2/unknown", signed("AAAA")), 200, {}),
    ]),
  );
  await send(json("POST", path, { choiceArguments: { n: 1, requestedAt: "2027-05-05T05:05:05.5Z" } }, "someone-else"));
  const request = json("POST", "/v2/unknown", signed("BBBB"), "");
  await send({ ...request, headers: [["User-Agent", "x"], ...request.headers, ["traceparent", "00-1-2-3"]] });
  expect(events.map(({ outcome }) => outcome)).toEqual(["matched", "matched"]);
});

test("each token has its own responses if a request was recorded with two", async () => {
  const entry = (token: string, status: number) =>
    harEntry("http://node/v2/idps", { headers: { Authorization: `Bearer ${token}` }, status });
  const { statusOf } = await replaying(harLines([entry("token-1", 200), entry("token-2", 403), entry("token-1", 201)]));
  const statuses = [];
  for (const token of ["mine", "mine", "mine", "plain", "mine"])
    statuses.push(await statusOf("GET", "/v2/idps", undefined, token));
  expect(statuses).toEqual([200, 201, 201, 403, 201]);
});

const flagged = (isDeactivated: boolean, more: object = {}) => ({ user: { id: "u", isDeactivated, ...more } });

test.each([
  ["another status of the page", "GET", "/v2/users?pageSize=3", undefined, "query", "/pageSize", "2", "3"],
  ["a parameter too few", "GET", "/v2/users", undefined, "query", "/pageSize", "2", undefined],
  ["a parameter too many", "GET", "/v2/users?pageSize=2&x=1", undefined, "query", "/x", undefined, "1"],
  ["another value", "POST", "/v2/users", flagged(false), "body", "/user/isDeactivated", true, false],
  [
    "null where nothing was",
    "POST",
    "/v2/users",
    flagged(true, { metadata: null }),
    "body",
    "/user/metadata",
    undefined,
    null,
  ],
  ["another method", "PUT", "/v2/users?pageSize=2", undefined, "method", "", "GET", "PUT"],
] as const)(
  "a request without a match gets the nearest recorded request: %s",
  async (_name, method, target, body, place, pointer, recorded, requested) => {
    const { send, events, replayer } = await replaying(
      harOf([
        exchangeOf(json("GET", "/v2/idps"), 200, {}),
        exchangeOf(json("GET", "/v2/users?pageSize=2"), 200, {}),
        exchangeOf(json("POST", "/v2/users", flagged(true)), 200, {}),
      ]),
    );
    const received = await send(json(method, target, body));
    const [nearest] = events[0]?.nearest ?? [];
    expect(nearest?.number).toBe(method === "POST" ? 3 : 2);
    expect(nearest?.differences).toContainEqual({ in: place, pointer, recorded, requested, why: undefined });
    expect(shownResponse(received)).toMatchObject({ status: 501, type: "text/plain; charset=UTF-8" });
    expect(textIn(received)).toContain(`${method} ${target}`);
    const reason =
      received.type === "response" ? received.headers.find(([name]) => name === "Understudy-Reason")?.[1] : "";
    expect(reason).toMatch(/nearest is exchange \d/);
    expect(replayer.summary).toMatchObject({ unmatched: 1, neverRequested: 3 });
  },
);

test("--match strict accepts only the next exchange; JSON layout and headers may differ", async () => {
  const exchanges = [created("a"), read("a")];
  const { send, statusOf, events } = await replaying(harOf(exchanges), { match: "strict" });
  expect(await statusOf("GET", "/v2/users/a")).toBe(501);
  expect(events[0]?.reason).toBe("exchange 1, POST /v2/users, is next, and its method differs");
  expect(await statusOf("POST", "/v2/users", { user: { id: "b" } })).toBe(501);
  const request = json("POST", "/v2/users", undefined, "another");
  const spaced = await send({ ...request, body: new Body('{ "user":\n{"id": "a"} }') });
  expect(spaced).toMatchObject({ status: 200 });
  expect(await statusOf("GET", "/v2/users/a")).toBe(200);
  expect(await statusOf("GET", "/v2/users/a")).toBe(501);
  expect(events.at(-1)?.reason).toBe("the recording has ended");
});

test("--match strict compares media types, and orders exchanges by their start", async () => {
  const later = { ...read("a"), startedAt: "2026-01-01T00:00:02.000Z" };
  const { send, events } = await replaying(harOf([later, created("a")]), { match: "strict" });
  const { request } = created("a");
  await send({ ...request, headers: [["Content-Type", "text/plain"]] });
  await send(request);
  await send(later.request);
  expect(events.map(({ outcome, number }) => [outcome, number])).toEqual([
    ["unmatched", undefined],
    ["matched", 2],
    ["matched", 1],
  ]);
});

test("matching ignores the order of rights", async () => {
  const kinds = [{ ParticipantAdmin: { value: {} } }, { CanActAs: { value: { party: party("p") } } }];
  const grant = (rights: readonly object[]) =>
    json("POST", "/v2/users/a/rights", { userId: "a", rights: rights.map((kind) => ({ kind })) });
  const { send } = await replaying(harOf([exchangeOf(grant(kinds), 200, {})]));
  expect(await send(grant(kinds.toReversed()))).toMatchObject({ status: 200 });
});

test("the nearest recorded request is the one with the same names", async () => {
  const grants = Array.from({ length: 300 }, (_, nth) =>
    exchangeOf(json("POST", `/v2/users/u${nth}/rights`, { userId: `u${nth}`, rights: [{ nth }] }), 200, {}),
  );
  const { send, events } = await replaying(harOf(grants));
  await send(json("POST", "/v2/users/u222/rights", { userId: "u222", rights: [{ nth: 999 }] }));
  expect(events[0]?.nearest[0]).toMatchObject({
    number: 223,
    differences: [{ in: "body", pointer: "/rights/0/nth", recorded: 222, requested: 999 }],
  });
});

test("two concurrent clients get their own recorded responses", async () => {
  const clients = ["a", "b"].map((id) => [created(id), read(id), read(id, true)]);
  const exchanges = [0, 1, 2].flatMap((step) => clients.flatMap((client) => client[step] ?? []));
  const { send, replayer } = await replaying(harOf(exchanges));
  const requested = clients.map(async (client, nth) => {
    const received = [];
    for (const { request } of client)
      received.push(textIn(await send(renamed(request, { [nth === 0 ? "a" : "b"]: `live-${nth}` }))));
    return received;
  });
  const responses = await Promise.all(requested);
  for (const [nth, texts] of responses.entries())
    expect(texts.map((text) => JSON.parse(text).user)).toEqual([
      { id: `live-${nth}`, primaryParty: "" },
      { id: `live-${nth}`, isDeactivated: false },
      { id: `live-${nth}`, isDeactivated: true },
    ]);
  expect(replayer.summary).toMatchObject({ matched: 6, repeated: 0, unmatched: 0 });
});

test("two concurrent equal requests get the responses of two exchanges", async () => {
  const { textOf } = await replaying(harOf([read("a"), read("a", true)]));
  const responses = await Promise.all([textOf("GET", "/v2/users/a"), textOf("GET", "/v2/users/a")]);
  const flags = responses.map((text) => JSON.parse(text).user.isDeactivated);
  expect(flags.sort()).toEqual([false, true]);
});

test("a failed response fails again, and a missing response is an error", async () => {
  const broken = (path: string, kind: "reset" | "timed-out" | "unexplained"): Exchange => ({
    ...exchangeOf(json("GET", path), 200, {}),
    response: { type: "broken", kind },
  });
  const { send, textOf, replayer } = await replaying(
    harOf([broken("/v2/a", "reset"), broken("/v2/b", "timed-out"), broken("/v2/c", "unexplained")]),
  );
  expect(await send(json("GET", "/v2/a"))).toMatchObject({ type: "broken", kind: "reset" });
  expect(await send(json("GET", "/v2/b"))).toMatchObject({ type: "broken", kind: "timed-out" });
  expect(await textOf("GET", "/v2/c")).toContain("exchange 3 matches, but the recording does not contain its response");
  expect(replayer.summary).toMatchObject({ matched: 2, unmatched: 1 });
});

test("--timing recorded keeps the response times", async () => {
  const waits: number[] = [];
  const { send } = await replaying(harOf([read("a")]), {
    wait: async (durationMs) => {
      waits.push(durationMs);
    },
  });
  await send(json("GET", "/v2/users/a"));
  expect(waits).toEqual([5]);
});

test("--continue-with responds to unmatched requests, in the names of the client", async () => {
  const requested: string[] = [];
  const { send, events } = await replaying(harOf([created("a")]), {
    continueWith: async (request) => {
      requested.push(`${request.target} ${request.body.text()}`);
      return exchangeOf(request, 200, { user: { id: "a" } }).response;
    },
  });
  await send(json("POST", "/v2/users", { user: { id: "live" } }));
  const received = await send(json("PATCH", "/v2/users/live", { user: { id: "live" } }));
  expect(requested).toEqual(['/v2/users {"user":{"id":"a"}}', '/v2/users/a {"user":{"id":"a"}}']);
  expect(textIn(received)).toBe('{"user":{"id":"live"}}');
  expect(events.map(({ outcome }) => outcome)).toEqual(["matched", "continued"]);
});

test("connection headers are not replayed", async () => {
  const { request } = read("a");
  const headers: readonly (readonly [string, string])[] = [
    ["content-encoding", "gzip"],
    ["transfer-encoding", "chunked"],
    ["X-Kept", "yes"],
    ["Set-Joined", "a\nb"],
    ["Bad Name", "x"],
    ["X-Bad", "\u0001"],
  ];
  const exchange = {
    ...read("a"),
    response: { type: "response", status: 200, headers, body: emptyBody },
  } as const;
  const { send } = await replaying(harOf([exchange]));
  expect(await send(request)).toMatchObject({
    headers: [
      ["X-Kept", "yes"],
      ["Set-Joined", "a"],
      ["Set-Joined", "b"],
      ["Content-Type", "application/octet-stream"],
    ],
  });
});

test("a changed recording is no longer replayed", async () => {
  let har = harOf([read("a"), read("b")]);
  const { send } = await replaying(har, { read: async ({ byte, length }) => har.subarray(byte, byte + length) });
  har = new TextEncoder().encode(new TextDecoder().decode(har).replace("/v2/users/a", "/v2/usersss"));
  await expect(send(json("GET", "/v2/users/a"))).rejects.toThrow("the recording has changed since it was read");
  har = new Uint8Array(har.length);
  await expect(send(json("GET", "/v2/users/b"))).rejects.toThrow("the recording has changed since it was read");
});

test("a lookup that was noted by hand is replayed", async () => {
  const { request, response } = lookupSample;
  const { send, events } = await replaying(new TextEncoder().encode(JSON.stringify(lookupSample)));
  const received = await send(json("POST", new URL(request.url).pathname, request.body));
  expect(events).toMatchObject([{ outcome: "matched", number: 1 }]);
  expect(JSON.parse(textIn(received))).toEqual(response.body);
});

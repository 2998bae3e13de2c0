import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Body, emptyBody } from "../../src/foundation/http/body.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { Json } from "../../src/foundation/json/json.ts";
import { root } from "./_command-line.ts";
import {
  exchangeOf,
  harOf,
  json,
  recordedFrom,
  renamed,
  replaying,
  scenarioNames,
  shownResponse,
  withNames,
} from "./_replayed.ts";

const party = (hint: string, digit = "1") => `${hint}::1220${digit.repeat(64)}`;
const created = (id: string) =>
  exchangeOf(json("POST", "/v2/users", { user: { id } }), 200, { user: { id, primaryParty: "" } });
const read = (id: string, isDeactivated = false) =>
  exchangeOf(json("GET", `/v2/users/${id}`), 200, { user: { id, isDeactivated } });

test.each(scenarioNames)("the recorded traffic of %s answers a client that sends the same", async (name) => {
  const exchanges = await recordedFrom(name);
  const expected = exchanges.map(({ response: received }) => shownResponse(received));
  for (const match of ["loose", "strict"] as const) {
    const { ask, replayer } = await replaying(harOf(exchanges), { match });
    const came = [];
    for (const { request } of exchanges) came.push(shownResponse(await ask(request)));
    expect(came).toEqual(expected);
    expect(replayer.summary).toEqual({
      matched: exchanges.length,
      repeated: 0,
      continued: 0,
      unmatched: 0,
      neverRequested: 0,
    });
  }
  expect(exchanges.length).toBeGreaterThan(0);
});

test.each(scenarioNames)("the recorded traffic of %s answers a client with other names, in its names", async (name) => {
  const names = { alice: "zoe-1", bob: "yuri", first: "s-1", second: "s-2", third: "s-3" };
  const exchanges = (await recordedFrom(name)).filter(({ request }) => !request.target.startsWith("/__understudy"));
  const { ask, replayer } = await replaying(harOf(exchanges));
  const [came, expected]: [unknown[], unknown[]] = [[], []];
  for (const { request, response: received } of exchanges) {
    const live = shownResponse(await ask(renamed(request, names)));
    came.push(known(live, names));
    expected.push(known(JSON.parse(withNames(JSON.stringify(shownResponse(received)), names)), names));
  }
  expect(came).toEqual(expected);
  expect(replayer.summary).toMatchObject({ matched: exchanges.length, unmatched: 0 });
});

/** A name that no request has held before is told as it is recorded. */
function known(received: unknown, names: Readonly<Record<string, string>>): unknown {
  const back = Object.fromEntries(Object.entries(names).map(([from, to]) => [to, from]));
  return JSON.parse(withNames(JSON.stringify(received), back));
}

test("names of a client appear in responses and errors, wherever they stand", async () => {
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
  const { ask } = await replaying(
    harOf([
      exchangeOf(rights("alice", party("alice")), 200, granted),
      exchangeOf(json("GET", "/v2/users/alice"), 404, error),
      exchangeOf(json("GET", `/v2/parties/${party("alice")}`), 400, `INVALID_ARGUMENT: alice is no party`),
    ]),
  );
  const bodyOf = async (...request: Parameters<typeof json>) => textOf(shownResponse(await ask(json(...request))));
  expect(textOf(shownResponse(await ask(rights("carol", party("dora", "2")))))).toBe(
    JSON.stringify({ newlyGrantedRights: [{ kind: { CanActAs: { value: { party: party("dora", "2") } } } }] }),
  );
  expect(JSON.parse(await bodyOf("GET", "/v2/users/carol"))).toMatchObject({
    cause: `getting user failed for unknown user "carol" of ${party("dora", "2")}`,
    resources: [["ErrorResource(USER)", "carol"]],
  });
  expect(await bodyOf("GET", `/v2/parties/${encodeURIComponent(party("dora", "2"))}`)).toBe(
    "INVALID_ARGUMENT: carol is no party",
  );
});

function textOf(received: unknown): string {
  return typeof received === "object" && received !== null && "text" in received ? String(received.text) : "";
}

test("a response without other names keeps its bytes, and one with them all else", async () => {
  const text = '{ "user" : {"id":"alice", "n": 1.50, "long": 12345678901234567890, "escaped": "\\u00e9\\/"} }\n';
  const { request } = read("alice");
  const received = { type: "response", status: 200, headers: [["Content-Type", "application/json"]] } as const;
  const exchange = { ...read("alice"), request, response: { ...received, body: new Body(text) } };
  for (const name of ["alice", "zoë".normalize("NFD").slice(0, 2)]) {
    const { ask } = await replaying(harOf([exchange]));
    expect(textOf(shownResponse(await ask(json("GET", `/v2/users/${name}`))))).toBe(text.replace("alice", name));
  }
});

test("requests may come in any order: each gets its own response", async () => {
  const exchanges = ["a", "b", "c", "d"].flatMap((id) => [created(id), read(id)]);
  const { ask, replayer } = await replaying(harOf(exchanges));
  for (const { request, response: received } of exchanges.toReversed())
    expect(shownResponse(await ask(request))).toEqual(shownResponse(received));
  expect(replayer.summary).toMatchObject({ matched: 8, repeated: 0, neverRequested: 0 });
});

test("what was recorded several times is given in its order, then the last again", async () => {
  const { ask, told } = await replaying(harOf([read("a"), read("a", true), read("b")]));
  const came = [];
  for (let nth = 0; nth < 4; nth += 1) came.push(textOf(shownResponse(await ask(json("GET", "/v2/users/a")))));
  expect(came.map((text) => JSON.parse(text).user.isDeactivated)).toEqual([false, true, true, true]);
  expect(told.map(({ outcome, number }) => `${outcome} ${number}`)).toEqual([
    "matched 1",
    "matched 2",
    "repeated 2",
    "repeated 2",
  ]);
});

test("a name stands for one of the recording, and for no other", async () => {
  const { ask, told } = await replaying(harOf([created("a"), read("a"), created("b")]));
  const ids = async (method: string, id: string) => {
    const body = method === "POST" ? { user: { id } } : undefined;
    const received = await ask(json(method, method === "POST" ? "/v2/users" : `/v2/users/${id}`, body));
    return received.type === "response" ? received.status : 0;
  };
  expect([await ids("POST", "x"), await ids("GET", "x"), await ids("GET", "a")]).toEqual([200, 200, 501]);
  expect(told.at(-1)?.nearest[0]?.differences).toMatchObject([
    { in: "path", pointer: "/user-id", recorded: "a", requested: "a", why: "x stands for a" },
  ]);
  expect(await ids("POST", "x")).toBe(200);
  expect(told.at(-1)).toMatchObject({ outcome: "repeated", number: 1 });
  expect([await ids("POST", "y"), await ids("POST", "z")]).toEqual([200, 501]);
});

test("names that a response told are no longer free for others", async () => {
  const listed = exchangeOf(json("GET", "/v2/users"), 200, { users: [{ id: "a" }], nextPageToken: "" });
  const { ask } = await replaying(harOf([listed, read("a")]));
  await ask(json("GET", "/v2/users"));
  expect(shownResponse(await ask(json("GET", "/v2/users/other")))).toMatchObject({ status: 501 });
  expect(shownResponse(await ask(json("GET", "/v2/users/a")))).toMatchObject({ status: 200 });
});

test("times, signatures, trace ids, tokens, the order of members and other headers do not count", async () => {
  const lookup = (requestedAt: string, more: object = {}) => ({ choiceArguments: { requestedAt, n: 1 }, ...more });
  const path = "/registry/transfer-instruction/v2/transfer-factory";
  const signed = (signature: string) => ({ signatures: [{ signature, format: "F" }], traceId: signature });
  const { ask, told } = await replaying(
    harOf([
      exchangeOf(json("POST", path, lookup("2026-01-01T00:00:00Z")), 200, {}),
      exchangeOf(json("POST", "/v2/unknown", signed("AAAA")), 200, {}),
    ]),
  );
  await ask(json("POST", path, { choiceArguments: { n: 1, requestedAt: "2027-05-05T05:05:05.5Z" } }, "someone-else"));
  const request = json("POST", "/v2/unknown", signed("BBBB"), "");
  await ask({ ...request, headers: [["User-Agent", "x"], ...request.headers, ["traceparent", "00-1-2-3"]] });
  expect(told.map(({ outcome }) => outcome)).toEqual(["matched", "matched"]);
});

test("where one request was recorded with two tokens, each token has its own responses", async () => {
  const requested = (token: string, status: number) =>
    exchangeOf(json("GET", "/v2/idps", undefined, token), status, { status });
  const har = new TextEncoder().encode(
    [
      ["token-1", 200],
      ["token-2", 403],
      ["token-1", 201],
    ]
      .map(([token, status]) => JSON.stringify(entryOf(requested(String(token), Number(status)), String(token))))
      .join("\n")
      .concat("\n"),
  );
  const { ask } = await replaying(har);
  const statuses = [];
  for (const token of ["mine", "mine", "mine", "plain", "mine"]) {
    const received = await ask(json("GET", "/v2/idps", undefined, token));
    statuses.push(received.type === "response" ? received.status : 0);
  }
  expect(statuses).toEqual([200, 201, 201, 403, 201]);
});

function entryOf({ request, response: received }: Exchange, token: string): object {
  return {
    startedDateTime: "2026-01-01T00:00:00Z",
    request: {
      method: request.method,
      url: `http://node${request.target}`,
      headers: [{ name: "Authorization", value: `Bearer ${token}` }],
    },
    response: {
      status: received.type === "response" ? received.status : 0,
      headers: [],
      content: { mimeType: "application/json", text: textOf(shownResponse(received)) },
    },
  };
}

test.each([
  ["another status of the page", "GET", "/v2/users?pageSize=3", undefined, "query", "/pageSize", "2", "3"],
  ["a parameter too few", "GET", "/v2/users", undefined, "query", "/pageSize", "2", undefined],
  ["a parameter too many", "GET", "/v2/users?pageSize=2&x=1", undefined, "query", "/x", undefined, "1"],
  [
    "another value",
    "POST",
    "/v2/users",
    { user: { id: "u", isDeactivated: false } },
    "body",
    "/user/isDeactivated",
    true,
    false,
  ],
  [
    "null where nothing was",
    "POST",
    "/v2/users",
    { user: { id: "u", isDeactivated: true, metadata: null } },
    "body",
    "/user/metadata",
    undefined,
    null,
  ],
  ["another method", "PUT", "/v2/users?pageSize=2", undefined, "method", "", "GET", "PUT"],
] as const)(
  "a request without a match is told the nearest recorded one: %s",
  async (_name, method, target, body, place, pointer, recorded, requested) => {
    const { ask, told, replayer } = await replaying(
      harOf([
        exchangeOf(json("GET", "/v2/idps"), 200, {}),
        exchangeOf(json("GET", "/v2/users?pageSize=2"), 200, {}),
        exchangeOf(json("POST", "/v2/users", { user: { id: "u", isDeactivated: true } }), 200, {}),
      ]),
    );
    const received = await ask(json(method, target, body));
    const nearest: Json[] = [];
    for (const { differences, number } of told[0]?.nearest ?? []) nearest.push(number, differences.length);
    expect(nearest.slice(0, 2)).toEqual([method === "POST" ? 3 : 2, expect.any(Number)]);
    expect(told[0]?.nearest[0]?.differences).toContainEqual({
      in: place,
      pointer,
      recorded,
      requested,
      why: undefined,
    });
    expect(shownResponse(received)).toMatchObject({ status: 501, type: "text/plain; charset=UTF-8" });
    expect(textOf(shownResponse(received))).toContain(`${method} ${target}`);
    const reason =
      received.type === "response" ? received.headers.find(([name]) => name === "Understudy-Reason")?.[1] : "";
    expect(reason).toMatch(/nearest is exchange \d/);
    expect(replayer.summary).toMatchObject({ unmatched: 1, neverRequested: 3 });
  },
);

test("strict wants the next exchange to the letter, JSON's layout and headers apart", async () => {
  const exchanges = [created("a"), read("a")];
  const { ask, told } = await replaying(harOf(exchanges), { match: "strict" });
  const statusOf = async (...request: Parameters<typeof json>) => {
    const received = await ask(json(...request));
    return received.type === "response" ? received.status : 0;
  };
  expect(await statusOf("GET", "/v2/users/a")).toBe(501);
  expect(told[0]?.reason).toBe("exchange 1, POST /v2/users, is next, and its method differs");
  expect(await statusOf("POST", "/v2/users", { user: { id: "b" } })).toBe(501);
  const request = json("POST", "/v2/users", undefined, "another");
  const spaced = await ask({ ...request, body: new Body('{ "user":\n{"id": "a"} }') });
  expect(spaced).toMatchObject({ status: 200 });
  expect(await statusOf("GET", "/v2/users/a")).toBe(200);
  expect(await statusOf("GET", "/v2/users/a")).toBe(501);
  expect(told.at(-1)?.reason).toBe("the recording has ended");
});

test("strict looks at the media type, and goes by when requests began", async () => {
  const later = { ...read("a"), startedAt: "2026-01-01T00:00:02.000Z" };
  const { ask, told } = await replaying(harOf([later, created("a")]), { match: "strict" });
  const { request } = created("a");
  await ask({ ...request, headers: [["Content-Type", "text/plain"]] });
  await ask(request);
  await ask(later.request);
  expect(told.map(({ outcome, number }) => [outcome, number])).toEqual([
    ["unmatched", undefined],
    ["matched", 2],
    ["matched", 1],
  ]);
});

test("rights are a set: their order does not count", async () => {
  const kinds = [{ ParticipantAdmin: { value: {} } }, { CanActAs: { value: { party: party("p") } } }];
  const grant = (rights: readonly object[]) =>
    json("POST", "/v2/users/a/rights", { userId: "a", rights: rights.map((kind) => ({ kind })) });
  const { ask } = await replaying(harOf([exchangeOf(grant(kinds), 200, {})]));
  expect(await ask(grant(kinds.toReversed()))).toMatchObject({ status: 200 });
});

test("of many recorded requests the one about the same names is the nearest", async () => {
  const grants = Array.from({ length: 300 }, (_, nth) =>
    exchangeOf(json("POST", `/v2/users/u${nth}/rights`, { userId: `u${nth}`, rights: [{ nth }] }), 200, {}),
  );
  const { ask, told } = await replaying(harOf(grants));
  await ask(json("POST", "/v2/users/u222/rights", { userId: "u222", rights: [{ nth: 999 }] }));
  expect(told[0]?.nearest[0]).toMatchObject({
    number: 223,
    differences: [{ in: "body", pointer: "/rights/0/nth", recorded: 222, requested: 999 }],
  });
});

test("two clients at once each get what they were recorded with", async () => {
  const clients = ["a", "b"].map((id) => [created(id), read(id), read(id, true)]);
  const exchanges = [0, 1, 2].flatMap((step) => clients.flatMap((client) => client[step] ?? []));
  const { ask, replayer } = await replaying(harOf(exchanges));
  const requested = clients.map(async (client, nth) => {
    const came = [];
    for (const { request } of client)
      came.push(textOf(shownResponse(await ask(renamed(request, { [nth === 0 ? "a" : "b"]: `live-${nth}` })))));
    return came;
  });
  const came = await Promise.all(requested);
  for (const [nth, texts] of came.entries())
    expect(texts.map((text) => JSON.parse(text).user)).toEqual([
      { id: `live-${nth}`, primaryParty: "" },
      { id: `live-${nth}`, isDeactivated: false },
      { id: `live-${nth}`, isDeactivated: true },
    ]);
  expect(replayer.summary).toMatchObject({ matched: 6, repeated: 0, unmatched: 0 });
});

test("the same request twice at the same time is served by two exchanges", async () => {
  const { ask } = await replaying(harOf([read("a"), read("a", true)]));
  const responses = await Promise.all([ask(json("GET", "/v2/users/a")), ask(json("GET", "/v2/users/a"))]);
  const flags = responses.map((received) => JSON.parse(textOf(shownResponse(received))).user.isDeactivated);
  expect(flags.sort()).toEqual([false, true]);
});

test("what broke off breaks off again, and what the recording does not hold is an error", async () => {
  const broken = (path: string, kind: "reset" | "timed-out" | "unexplained"): Exchange => ({
    ...exchangeOf(json("GET", path), 200, {}),
    response: { type: "broken", kind },
  });
  const { ask, replayer } = await replaying(
    harOf([broken("/v2/a", "reset"), broken("/v2/b", "timed-out"), broken("/v2/c", "unexplained")]),
  );
  expect(await ask(json("GET", "/v2/a"))).toMatchObject({ type: "broken", kind: "reset" });
  expect(await ask(json("GET", "/v2/b"))).toMatchObject({ type: "broken", kind: "timed-out" });
  expect(textOf(shownResponse(await ask(json("GET", "/v2/c"))))).toContain(
    "exchange 3 matches, but the recording does not contain its response",
  );
  expect(replayer.summary).toMatchObject({ matched: 2, unmatched: 1 });
});

test("answers take as long as they did where that is asked for", async () => {
  const waits: number[] = [];
  const { ask } = await replaying(harOf([read("a")]), {
    wait: async (durationMs) => {
      waits.push(durationMs);
    },
  });
  await ask(json("GET", "/v2/users/a"));
  expect(waits).toEqual([5]);
});

test("what the recording does not hold is served by whoever goes on, in the client's names", async () => {
  const requested: string[] = [];
  const { ask, told } = await replaying(harOf([created("a")]), {
    continueWith: async (request) => {
      requested.push(`${request.target} ${request.body.text()}`);
      return exchangeOf(request, 200, { user: { id: "a" } }).response;
    },
  });
  await ask(json("POST", "/v2/users", { user: { id: "live" } }));
  const received = await ask(json("PATCH", "/v2/users/live", { user: { id: "live" } }));
  expect(requested).toEqual(['/v2/users {"user":{"id":"a"}}', '/v2/users/a {"user":{"id":"a"}}']);
  expect(textOf(shownResponse(received))).toBe('{"user":{"id":"live"}}');
  expect(told.map(({ outcome }) => outcome)).toEqual(["matched", "continued"]);
});

test("headers of the connection are not given again", async () => {
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
  const { ask } = await replaying(harOf([exchange]));
  expect(await ask(request)).toMatchObject({
    headers: [
      ["X-Kept", "yes"],
      ["Set-Joined", "a"],
      ["Set-Joined", "b"],
      ["Content-Type", "application/octet-stream"],
    ],
  });
});

test("a recording that became another is no longer answered from", async () => {
  let har = harOf([read("a"), read("b")]);
  const { ask } = await replaying(har, { read: async ({ byte, length }) => har.subarray(byte, byte + length) });
  har = new TextEncoder().encode(new TextDecoder().decode(har).replace("/v2/users/a", "/v2/usersss"));
  await expect(ask(json("GET", "/v2/users/a"))).rejects.toThrow("the recording has changed since it was read");
  har = new Uint8Array(har.length);
  await expect(ask(json("GET", "/v2/users/b"))).rejects.toThrow("the recording has changed since it was read");
});

const samples = join(root, "../shared/samples/registry/transfer-factory-v2-offer.json");

test(`a sample of real traffic is replayed${existsSync(samples) ? "" : " (the folder of samples is absent: not read)"}`, async () => {
  if (!existsSync(samples)) return expect(existsSync(samples)).toBe(false);
  const { request, response } = JSON.parse(readFileSync(samples, "utf8"));
  const { ask, told } = await replaying(new Uint8Array(readFileSync(samples)));
  const received = await ask(json("POST", new URL(request.url).pathname, request.body));
  expect(told).toMatchObject([{ outcome: "matched", number: 1 }]);
  expect(JSON.parse(textOf(shownResponse(received)))).toEqual(response.body);
});

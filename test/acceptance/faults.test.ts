import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { Hosting } from "../../src/stub/hosting/hosting.ts";
import { listening } from "../_server.ts";
import { transferLookup } from "../_transfer.ts";
import { hashOfWorld, type RequestedStub, stubOver } from "./_stub.ts";

const ledger = `participantId: p::1220ab
identityProviders: [{ id: corporate, issuer: i, jwksUrl: j }]
synchronizers: [{ alias: a, id: "a::1220ab" }, { alias: b, id: "b::1220ab" }]
users: [{ id: alice }, { id: bob }]
`;
const grantId = "postV2UsersUser-idRights";
const path = "/v2/users/alice/rights";
const body = { userId: "alice", rights: [{ kind: { ParticipantAdmin: { value: {} } } }] };

function stub(plan: string, more = "") {
  const made = stubOver({ ledger, extension: `plan:\n  - ${plan}\nseed: 7\n${more}` }, "canton-3.5");
  const rights = () => made.world.state.ledger.users.get("alice")?.rights.size;
  return { ...made, rights, grant: (requested: object = body) => made.ask(path, { body: requested }) };
}

/** The same stub behind a socket; it records delays and does not wait. */
async function served({ world }: RequestedStub) {
  const delays: number[] = [];
  const hosting = new Hosting({
    world,
    profile: { ledger: "canton-3.5", registry: "splice-0.7" },
    auth: "bearer",
    hasAdditionalOperations: true,
    scenario: "s",
    areSignaturesVerified: false,
    wallNowMs: () => 0,
    later: queueMicrotask,
    sleep: async (durationMs) => {
      delays.push(durationMs);
    },
  });
  const server = await listening(hosting.handler);
  const send = () =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { Authorization: "Bearer any" },
      body: JSON.stringify(body),
    });
  return { server, delays, send };
}

test("instead: the operation has no effect, and the next call succeeds", () => {
  const { grant, rights } = stub(`{ on: ${grantId}, instead: { error: SERVICE_NOT_RUNNING } }`);
  const response = grant();
  expect(response).toMatchObject({ status: 503, contentType: "application/json" });
  expect(JSON.parse(response.text)).toMatchObject({
    code: "SERVICE_NOT_RUNNING",
    errorCategory: 1,
    retryInfo: "1 second",
  });
  expect(rights()).toBe(0);
  expect(grant().status).toBe(200);
});

test("after: the operation has taken effect, and a retry finds it done", () => {
  const { grant, rights } = stub(`{ on: ${grantId}, after: { error: REQUEST_TIME_OUT } }`);
  expect(grant().status).toBe(504);
  expect(rights()).toBe(1);
  expect(JSON.parse(grant().text)).toEqual({ newlyGrantedRights: [] });
});

test("applies to the nth call and to as many calls as configured", () => {
  const { grant } = stub(`{ on: ${grantId}, nth: 2, times: 2, instead: { status: 429, body: slow down } }`);
  expect([1, 2, 3, 4].map(() => grant().status)).toEqual([200, 429, 429, 200]);
});

test("applies only to calls of the planned operation whose body and query match in every value", () => {
  const { ask, grant } = stub(
    `{ on: ${grantId}, match: { body: { /rights/0/kind/ParticipantAdmin/value: {} } }, times: 9, instead: { status: 418 } }\n  - { on: getV2Users, match: { query: { pageSize: 2 } }, instead: { status: 418 } }`,
  );
  expect(grant({ userId: "alice" }).status).toBe(200);
  expect(grant().status).toBe(418);
  const match = "match: { body: { /userId: alice, /rights: [] }, query: { a: 1, b: 2 } }";
  const every = stub(`{ on: ${grantId}, ${match}, times: 9, instead: { status: 418 } }`);
  const status = (query: string, requested: unknown) => every.ask(`${path}${query}`, { body: requested }).status;
  expect(status("?a=1&b=2", { userId: "alice", rights: [] })).toBe(418);
  expect(status("?a=1&b=3", { userId: "alice", rights: [] })).toBe(200);
  expect(status("?a=1&b=2", { userId: "alice" })).toBe(200);
  expect(every.ask("/v2/users").status).toBe(200);
  expect(["", "?pageSize=1", "?pageSize=2", "?pageSize=2"].map((query) => ask(`/v2/users${query}`).status)).toEqual([
    200, 200, 418, 200,
  ]);
});

test.each([
  ["{ status: 202, body: { a: 9007199254740991 } }", 202, "application/json", '{"a":9007199254740991}'],
  ["{ status: 400, body: no }", 400, "text/plain; charset=UTF-8", "no"],
  ["{ status: 200, contentType: application/json, body: '[]' }", 200, "application/json", "[]"],
  ["{ gatewayHtml: 502 }", 502, "text/html", expect.stringContaining("502 Bad Gateway")],
  ["{ gatewayHtml: 503 }", 503, "text/html", expect.stringContaining("503 Service Unavailable")],
  ["{ gatewayHtml: 504 }", 504, "text/html", expect.stringContaining("504 Gateway Time-out")],
  ["{ notJson: true }", 200, "application/json", "{ this is not JSON"],
])("responds with %s", (response, status, contentType, text) => {
  const { world, grant } = stub(`{ on: ${grantId}, instead: ${response} }`);
  const before = hashOfWorld(world);
  expect(grant()).toEqual({ status, contentType, text });
  expect(hashOfWorld(world)).toBe(before);
});

test.each([
  ["canton-3.5", 503, "application/json", /^\{"code":"SERVICE_NOT_RUNNING","cause":"Planned response of the scenario/],
  ["canton-3.5", 404, "application/json", /^\{"code":"USER_NOT_FOUND"/],
  ["canton-3.5", 409, "application/json", /^\{"code":"USER_ALREADY_EXISTS"/],
  ["canton-3.5", 400, "application/json", /^\{"code":"INVALID_ARGUMENT"/],
  ["spec", 504, "application/json", /^\{"code":"REQUEST_TIME_OUT"/],
  ["spec", 400, "text/plain; charset=UTF-8", /^INVALID_ARGUMENT: Planned response/],
  ["spec", 418, "application/json", /^\{"code":"Planned response of the scenario: 418"/],
  ["canton-3.5", 429, "application/json", /"cause":"RESOURCE_EXHAUSTED: .*"grpcCodeValue":8,/],
] as const)(
  "in profile %s a planned %d without a body has the body of the operation",
  (profile, status, type, text) => {
    const { ask } = stubOver(
      { ledger, extension: `plan: [{ on: getV2Users, instead: { status: ${status} } }]` },
      profile,
    );
    expect(ask("/v2/users")).toEqual({ status, contentType: type, text: expect.stringMatching(text) });
  },
);

test("a planned error of the registry without a body is an ErrorResponse, for one operation or any", () => {
  for (const on of ["getRegistryInfo", "any"]) {
    const { ask } = stubOver({ ledger, extension: `plan: [{ on: ${on}, instead: { status: 503 } }]` }, "spec");
    expect(ask("/registry/metadata/v1/info")).toEqual({
      status: 503,
      contentType: "application/json",
      text: '{"error":"Planned response of the scenario: 503"}',
    });
  }
});

test("a planned response has the headers of the plan, each in place of those of its name", async () => {
  const plan = [
    `{ on: ${grantId}, instead: { status: 429, headers: { Retry-After: 5, X-Limit: "none, really" } } }`,
    `{ on: ${grantId}, nth: 2, after: { headers: { understanding: a, date: today } } }`,
    `{ on: ${grantId}, nth: 3, after: { error: SERVICE_NOT_RUNNING, headers: { retry-after: 1 } } }`,
  ];
  const { send } = await served(stub(plan.join("\n  - ")));
  const [limited, own, refused] = [await send(), await send(), await send()];
  expect([limited.status, limited.headers.get("retry-after"), limited.headers.get("x-limit")]).toEqual([
    429,
    "5",
    "none, really",
  ]);
  expect(limited.headers.get("content-type")).toBe("application/json");
  expect([own.status, own.headers.get("understanding"), own.headers.get("date")]).toEqual([200, "a", "today"]);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
});

test.each([
  ["{ Content-Type: a }", /sets the header Content-Type\. Use contentType\./],
  ["{ Transfer-Encoding: chunked }", /sets the header Transfer-Encoding\. The server decides it\./],
  ["{ content-length: 5 }", /sets the header content-length\. The server counts it/],
  ["{ Connection: close }", /sets the header Connection\. The server decides it; slowClose/],
  ["{ Understudy-Reason: a }", /Headers of Understudy cannot be planned/],
  ['{ "a b": c }', /has the header "a b", which is not a valid name/],
  ['{ "": c }', /has the header "", which is not a valid name/],
  ['{ a: "b\\r\\nc: d" }', /has a value of the header a that cannot be sent/],
  ['{ a: "é" }', /has a value of the header a that cannot be sent/],
  ['{ a: " b" }', /has a value of the header a that cannot be sent/],
  ["{ a: b, A: c }", /has the header A twice/],
  ["{ a: true }", /headers\.a is true, which is not a string or a number|headers\.a is true/],
])("refuses a plan with the headers %s", (headers, message) => {
  expect(() => stub(`{ on: ${grantId}, instead: { status: 429, headers: ${headers} } }`)).toThrow(message);
});

test("refuses headers of a response that is not sent", () => {
  const entry = `{ on: ${grantId}, instead: { timeout: true, headers: { a: b } } }`;
  expect(() => stub(entry)).toThrow(/has headers and timeout, which sends no response/);
});

test("resets the connection, before or after the effect", async () => {
  for (const [timestamp, rights] of [
    ["instead", 0],
    ["after", 1],
  ] as const) {
    const made = stub(`{ on: ${grantId}, ${timestamp}: { reset: true } }`);
    const { send } = await served(made);
    await expect(send()).rejects.toThrow("fetch failed");
    expect(made.rights()).toBe(rights);
    expect((await send()).status).toBe(200);
  }
});

test("truncates a response after a head with the full length", async () => {
  const made = stub(`{ on: ${grantId}, after: { truncate: 5 } }`);
  const { server } = await served(made);
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  const text = JSON.stringify(body);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  );
  let response = "";
  socket.on("data", (chunk) => {
    response += String(chunk);
  });
  await once(socket, "close");
  const [head = "", received] = response.split("\r\n\r\n");
  expect([Number(/Content-Length: (\d+)/.exec(head)?.[1]) > 5, received?.length]).toEqual([true, 5]);
  expect(made.rights()).toBe(1);
});

test("commits and sends no response until the client times out or the server stops", async () => {
  const made = stub(`{ on: ${grantId}, times: 2, fault: commit-then-timeout }`);
  const { server, send } = await served(made);
  const patience = new AbortController();
  const first = fetch(`${server.url}${path}`, {
    method: "POST",
    signal: patience.signal,
    headers: { Authorization: "Bearer a" },
    body: JSON.stringify(body),
  });
  const silent = send();
  const settled = Promise.allSettled([first, silent]);
  while (made.world.state.counter < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(made.rights()).toBe(1);
  patience.abort();
  await server.close();
  expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("delays in wall time, fixed or log-normal; the same seed gives the same delays", async () => {
  const fixed = await served(stub(`{ on: ${grantId}, after: { delay: PT0.25S } }`));
  expect((await fixed.send()).status).toBe(200);
  expect(fixed.delays).toEqual([250]);
  const drawn = async () => {
    const { delays, send } = await served(
      stub(`{ on: ${grantId}, times: 40, after: { delay: { median: PT0.1S, sigma: 0.5 } } }`),
    );
    for (let call = 0; call < 40; call += 1) await send();
    return delays;
  };
  const [first, second] = [await drawn(), await drawn()];
  expect(second).toEqual(first);
  const sorted = first.toSorted((left, right) => left - right);
  expect(sorted[20]).toBeGreaterThan(60);
  expect(sorted[20]).toBeLessThan(160);
  expect(new Set(first).size).toBe(40);
});

test("refuses an unplanned request with 501", () => {
  const { ask, grant } = stub(`{ on: ${grantId}, after: { delay: PT0S } }`, "onUnplannedRequest: error");
  expect(grant().status).toBe(200);
  expect(ask("/v2/users")).toEqual({
    status: 501,
    contentType: "text/plain; charset=UTF-8",
    text: `Understudy: the scenario does not plan GET /v2/users. Planned operations: ${grantId}.`,
  });
  expect(ask("/v2/nothing").status).toBe(501);
});

test("creates a planned pre-approval and archives it: offer, direct, offer", () => {
  const plan = `{ at: PT1M, createPreapproval: { receiver: "carol::1220ab" } }\n  - { at: PT2M, archivePreapproval: "carol::1220ab" }`;
  const { world, ask } = stub(plan);
  const body = transferLookup();
  const kind = () => {
    const response = JSON.parse(ask("/registry/transfer-instruction/v2/transfer-factory", { body }).text);
    world.advanceBy(60_000);
    return response.transferKind;
  };
  expect([kind(), kind(), kind()]).toEqual(["offer", "direct", "offer"]);
});

test("uses the open round: another contract after the next round opens", () => {
  const { world, ask } = stub("{ at: PT1H, connect: a }");
  const round = () => {
    const body = transferLookup("alice::1220ab");
    const response = JSON.parse(ask("/registry/transfer-instruction/v2/transfer-factory", { body }).text);
    return response.choiceContext.choiceContextData.values["open-round"].value;
  };
  const before = round();
  world.advanceBy(11 * 60_000);
  expect(round()).not.toBe(before);
});

test.each([
  [
    `{ on: ${grantId}, fault: comit-then-timeout }`,
    /fault is "comit-then-timeout", which is not an allowed value\. Did you mean "commit-then-timeout"\?/,
  ],
  [`{ on: ${grantId}, instead: { error: SERVICE_NOT_RUNING } }`, /Did you mean "SERVICE_NOT_RUNNING"\?/],
  [`{ on: ${grantId}, instead: {} }`, /has instead without a response/],
  [`{ on: ${grantId}, instead: { delay: PT1S } }`, /has instead without a response/],
  [`{ on: grant, instead: { reset: true } }`, /names the unknown operation "grant"/],
  [`{ on: ${grantId}, instead: { status: 999 } }`, /status is 999; the maximum is 599/],
  [
    `{ on: ${grantId}, after: { delay: long } }`,
    /delay is "long", which does not have the expected format\. Write it as PT30S\./,
  ],
])("refuses the plan %s and says what to do", (entry, message) => {
  expect(() => stub(entry)).toThrow(message);
});

test.each([
  ["commit-then-unavailable", "SERVICE_NOT_RUNNING"],
  ["commit-then-reset", "broken: reset"],
  ["commit-then-timeout", "broken: timed-out"],
])("%s takes effect once, and responds with %s", (fault, expected) => {
  const { grant, rights } = stub(`{ on: ${grantId}, fault: ${fault} }`);
  const response = () => {
    try {
      return grant().text;
    } catch (error) {
      return String(error);
    }
  };
  expect(response()).toContain(expected);
  expect(rights()).toBe(1);
  expect(response()).toBe('{"newlyGrantedRights":[]}');
});

test("random delays have the configured width; a width of 0 gives a constant delay", async () => {
  const delays = async (sigma: string) => {
    const made = await served(stub(`{ on: ${grantId}, times: 9, after: { delay: { median: PT0.1S${sigma} } } }`));
    for (let call = 0; call < 9; call += 1) await made.send();
    return made.delays.map(Math.round);
  };
  expect(new Set(await delays(", sigma: 0"))).toEqual(new Set([100]));
  expect(await delays("")).toEqual(await delays(", sigma: 1"));
  expect(await delays(", sigma: 0.1")).not.toEqual(await delays(", sigma: 1"));
});

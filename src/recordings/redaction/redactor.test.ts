import { expect, test } from "vitest";
import { redacted, sent } from "../../../test/_redacted.ts";
import { Body } from "../../foundation/http/body.ts";
import {
  decodeCreatedEventBlob,
  encodeCreatedEventBlob,
  encodeTextRecord,
} from "../../foundation/protobuf/created-event-blob.ts";
import { encodeValue } from "../../foundation/protobuf/daml-value.ts";
import {
  decodePreparedTransaction,
  encodePreparedTransaction,
} from "../../foundation/protobuf/prepared-transaction.ts";
import { decodeTopologyTransaction, encodePartyToParticipant } from "../../foundation/protobuf/topology-transaction.ts";
import { base64OfBytes } from "../../foundation/text/base64.ts";
import { createRedactor } from "./redactor.ts";

const hex = (letter: string) => letter.repeat(64);
const alice = `alice::1220${hex("a")}`;
const bob = `bob::1220${hex("b")}`;
const domain = `global-domain::1220${hex("c")}`;
const contract = `00${hex("d")}ca121220${hex("e")}`;
const noBounds = { minLedgerTimeMicros: undefined, maxLedgerTimeMicros: undefined, maxRecordTimeMicros: undefined };
const template = `${"5".repeat(64)}:Splice.Rules:Rules`;

const name = /^[a-z]+-1::1220[0-9a-f]{64}$/;

test("gives a party one name in target, body, error text and protobuf", () => {
  const transaction = encodePartyToParticipant(
    { party: alice, threshold: 1, participants: [{ id: bob, permission: "confirmation" }] },
    { bytes: new Uint8Array(32).fill(200), spec: 1, format: 3 },
  );
  const { target, body, response } = redacted({
    target: `/v2/parties/${encodeURIComponent(alice)}?parties=${alice}`,
    body: JSON.stringify({ onboardingTransactions: [{ transaction }], owner: alice }),
    responseBody: JSON.stringify({ cause: `Party ${alice} (hint alice) is unknown.` }),
    status: 404,
  });
  const { owner, onboardingTransactions } = JSON.parse(body);
  const [hint] = owner.split("::");
  expect(owner).toMatch(name);
  expect(target).toBe(`/v2/parties/${encodeURIComponent(owner)}?parties=${owner}`);
  expect(JSON.parse(response).cause).toBe(`Party ${owner} (hint ${hint}) is unknown.`);
  const decoded = decodeTopologyTransaction(onboardingTransactions[0].transaction);
  expect(decoded).toMatchObject({
    mapping: { hosting: { party: owner, participants: [{ id: expect.stringMatching(/^participant-1::/) }] } },
  });
  expect(decoded?.mapping.type === "party-to-participant" && decoded.mapping.hosting.keys[0]?.bytes).not.toEqual(
    new Uint8Array(32).fill(200),
  );
});

test("names an id after the member where it occurs first, and its bare hint alike", () => {
  const { body, response } = redacted({
    body: { partyHint: "alice", synchronizer: domain, observingParticipantUids: [bob] },
    responseBody: JSON.stringify({ partyId: alice, physical: `${domain}::34-0`, uid: `PAR::${bob}` }),
  });
  const requested = JSON.parse(body);
  const responded = JSON.parse(response);
  expect(requested).toMatchObject({
    partyHint: "party-1",
    synchronizer: expect.stringMatching(/^synchronizer-1::1220/),
  });
  expect(responded.partyId).toMatch(/^party-1::1220/);
  expect(responded.physical).toBe(`${requested.synchronizer}::34-0`);
  expect(responded.uid).toBe(`PAR::${requested.observingParticipantUids[0]}`);
  expect(requested.observingParticipantUids[0]).toMatch(/^participant-1::1220/);
});

/** The blob of a contract that a party signed, with texts as its argument. */
const blobOf = (signatory: string, ...texts: readonly string[]) =>
  encodeCreatedEventBlob({
    contractId: contract,
    packageName: "splice",
    templateId: template,
    createdAtMicros: 7n,
    signatories: [signatory],
    createArgument: encodeTextRecord(texts),
  });

test("keeps the blob of a disclosed contract consistent with the JSON around it", () => {
  const createdEventBlob = blobOf(alice, alice, "1.0");
  const { response } = redacted({
    responseBody: JSON.stringify({ contractId: contract, createdEventBlob, by: alice }),
  });
  const { contractId, createdEventBlob: blob, by } = JSON.parse(response);
  expect(contractId).toMatch(/^0007[0-9a-f]{62}ca12122007[0-9a-f]{62}$/);
  expect(decodeCreatedEventBlob(blob)).toMatchObject({
    contractId,
    templateId: template,
    createdAtMicros: 7n,
    signatories: [by],
    createArgument: encodeTextRecord([by, "1.0"]),
  });
});

test("renames within a prepared transaction, an inner created event included", () => {
  const blob = blobOf(bob, bob);
  const create = {
    type: "create",
    lfVersion: "2.1",
    contractId: contract,
    packageName: "splice",
    templateId: template,
    signatories: [alice],
    stakeholders: [alice, bob],
    argument: { type: "record", fields: [["owner", { type: "party", value: bob }]] },
  } as const;
  const preparedTransaction = encodePreparedTransaction({
    transaction: {
      version: "2.1",
      roots: ["0"],
      nodes: new Map([["0", create]]),
      seeds: new Map([["0", new Uint8Array(32).fill(200)]]),
    },
    metadata: {
      actAs: [alice],
      commandId: "pay-rent",
      synchronizerId: domain,
      mediatorGroup: 0,
      transactionUuid: "u",
      preparationTimeMicros: 5n,
      ...noBounds,
      inputContracts: [
        { contract: create, createdAtMicros: 7n, eventBlob: Uint8Array.from(atob(blob), (c) => c.charCodeAt(0)) },
      ],
    },
  });
  const { body } = redacted({ body: { commandId: "pay-rent", preparedTransaction, alice, bob, domain, contract } });
  const read = JSON.parse(body);
  const decoded = decodePreparedTransaction(read.preparedTransaction);
  expect(decoded?.metadata).toMatchObject({
    actAs: [read.alice],
    commandId: read.commandId,
    synchronizerId: read.domain,
    preparationTimeMicros: 5n,
  });
  expect(read.commandId).toBe("correlation-1");
  expect(decoded?.transaction?.nodes.get("0")).toMatchObject({
    contractId: read.contract,
    signatories: [read.alice],
    stakeholders: [read.alice, read.bob],
    argument: { fields: [["owner", { type: "party", value: read.bob }]] },
  });
  expect(decoded?.transaction?.seeds.get("0")).not.toEqual(new Uint8Array(32).fill(200));
  const inner = decoded?.metadata?.inputContracts[0]?.eventBlob ?? new Uint8Array();
  expect(decodeCreatedEventBlob(base64OfBytes(inner))).toMatchObject({
    contractId: read.contract,
    signatories: [read.bob],
  });
});

test("a text within bytes that could be a message is distinguished from a message", () => {
  const wrapped = base64OfBytes(encodeValue({ type: "party", value: alice }));
  const { body } = redacted({ body: { createdEventBlob: wrapped, alice } });
  const read = JSON.parse(body);
  expect(read.createdEventBlob).toBe(base64OfBytes(encodeValue({ type: "party", value: read.alice })));
});

test("reads a decoded body under a Content-Encoding header", () => {
  const { body } = redacted({ headers: [["Content-Encoding", "br"]], body: { alice } });
  expect(JSON.parse(body).alice).toMatch(name);
});

test("keeps packages, templates, users, amounts and instruments", () => {
  const body = JSON.stringify({
    templateId: template,
    packageId: "5".repeat(64),
    userId: "alice",
    amount: "1.5",
    instrumentId: { id: "Amulet" },
  });
  expect(redacted({ target: `/v2/packages/${"5".repeat(64)}/status`, body })).toMatchObject({
    body,
    target: `/v2/packages/${"5".repeat(64)}/status`,
  });
});

test("renamesUsers renames users, page tokens included", () => {
  const token = "CgVhbGljZQ==";
  const { target, body, response } = redacted(
    {
      target: `/v2/users/alice/rights?pageToken=${encodeURIComponent(token)}`,
      body: JSON.stringify({ userId: "alice" }),
      responseBody: JSON.stringify({
        users: [{ id: "alice" }],
        nextPageToken: token,
        resources: [["ErrorResource(USER)", "alice"]],
      }),
    },
    { renamesUsers: true },
  );
  const renamed = "Cg5yZW5hbWVkLXVzZXItMQ==";
  expect(target).toBe(`/v2/users/renamed-user-1/rights?pageToken=${encodeURIComponent(renamed)}`);
  expect(body).toBe('{"userId":"renamed-user-1"}');
  expect(response).toBe(
    `{"users":[{"id":"renamed-user-1"}],"nextPageToken":"${renamed}","resources":[["ErrorResource(USER)","renamed-user-1"]]}`,
  );
});

test("keeps the order and the distances of offsets, and 0 as the beginning", () => {
  const { body, response } = redacted({
    body: '{"beginExclusive":0,"activeAtOffset":9007199254740993,"offset":"12"}',
    responseBody: '{"completionOffset":40,"cause":"the offset 45 is after the ledger end (44)"}',
  });
  const first = 1_000_000_000_000n;
  expect(body).toBe(`{"beginExclusive":0,"activeAtOffset":9007199254740993,"offset":"${first}"}`);
  expect(response).toBe(
    `{"completionOffset":${first + 28n},"cause":"the offset ${first + 33n} is after the ledger end (${first + 32n})"}`,
  );
});

test.each([
  ["an escape", `{"x":"\\u0061lice::1220${hex("a")}"}`],
  ["a key", `{"${alice}":{}}`],
  ["JSON in JSON", JSON.stringify({ x: JSON.stringify({ y: [alice] }) })],
  ["JSON that breaks off", `{"x":"${alice}`],
  ["text that is not JSON", `{x: ${alice}}`],
  ["plain text", `no ${alice} here`],
  ["a URL in a text", `{"errors":["uri: http://h/v2/parties/${encodeURIComponent(alice)}"]}`],
  ["base64 of a text", JSON.stringify({ x: btoa(`to ${alice}`) })],
  ["base64 in a text", JSON.stringify({ x: `data:${btoa(`to ${alice}`)}` })],
  [
    "base64 for URLs, in a path",
    JSON.stringify({ x: `/a/${base64OfBytes(encodeValue({ type: "party", value: alice })).replaceAll("=", "")}` }),
  ],
])("finds a party in %s", (_where, body) => {
  const redactor = createRedactor();
  const out = redacted({ body }, redactor).body;
  const decoded = [
    out,
    ...[...out.matchAll(/[A-Za-z0-9+_-]{12,}/g)].map(([run]) => Buffer.from(run, "base64").toString("latin1")),
  ];
  expect(decoded.join()).not.toMatch(/alice|a{64}/);
  expect(decoded.join()).toMatch(/party-1/);
});

test("repairs the length of a body, and reads a compressed one", async () => {
  const text = JSON.stringify({ party: alice });
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const body = new Uint8Array(await new Response(stream).arrayBuffer());
  const headers = [
    ["Content-Encoding", "gzip"],
    ["Content-Length", String(body.length)],
  ] as const;
  const { request } = createRedactor().redact(sent({ headers, body }));
  expect(JSON.parse(request.body.text()).party).toMatch(name);
  expect(request.headers[1]).toEqual(["Content-Length", String(request.body.size)]);
  expect(redacted({ headers, body: body.subarray(0, 20) }).body).toBe("");
});

test("an incomplete response is redacted with its reason and its received part", () => {
  const body = new Body(`{"x":"${alice}`);
  const partial = { status: 200, headers: [["Set-Cookie", "a=b"]], body, bodyLength: 100 } as const;
  const response = { type: "broken", kind: "truncated", reason: `${alice} hung up`, partial } as const;
  const out = createRedactor().redact(sent({ response }));
  expect(out.response).toMatchObject({
    reason: expect.stringMatching(/^party-1::\w+ hung up$/),
    partial: { headers: [["Set-Cookie", "a=cookie-1"]] },
  });
  expect(out.response.type === "broken" && (out.response.partial ?? partial).body.text()).not.toContain("alice");
});

test("refuses an exchange if the memory of names is full", () => {
  const redactor = createRedactor({ namesMax: 3 });
  redactor.redact(sent({ body: JSON.stringify({ alice }) }));
  expect(() => redactor.redact(sent({ body: JSON.stringify({ contract }) }))).toThrow(/memory of names is full/);
});

test("two recordings share names by a list without tokens", () => {
  const first = createRedactor();
  const headers = [["Authorization", "Bearer an-opaque-token-123"]] as const;
  const before = redacted({ headers, body: { alice, offset: 5 } }, first);
  expect(JSON.stringify(first.names())).not.toContain("an-opaque-token");
  const second = createRedactor({ names: first.names() });
  const another = [["Authorization", "Bearer another-token-456"]] as const;
  redacted({ headers: another, body: { bob, offset: 8 } }, second);
  expect(redacted({ headers, body: { alice, offset: 5 } }, second)).toEqual(before);
});

test("keepsIds keeps ids and redacts the rest", () => {
  const body = JSON.stringify({ alice, contract, traceId: "a".repeat(32), correlationId: "c", offset: 5 });
  expect(redacted({ headers: [["Authorization", "Bearer x"]], body }, { keepsIds: true })).toMatchObject({
    body,
    headers: [["Authorization", "Bearer token-1"]],
  });
});

test("trace contexts and the ids of requests get names of their own form", () => {
  const { headers, response } = redacted({
    headers: [
      ["traceparent", `00-${"1f".repeat(16)}-${"2e".repeat(8)}-01`],
      ["X-Request-Id", "req 1"],
      ["tracestate", "a=1,b=2"],
    ],
    responseBody: JSON.stringify({ traceId: "1f".repeat(16), correlationId: "req 1" }),
  });
  const [, trace] = /^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(headers[0]?.[1] ?? "") ?? [];
  expect(trace).not.toBe("1f".repeat(16));
  expect(JSON.parse(response)).toEqual({ traceId: trace, correlationId: "correlation-1" });
  expect(headers.slice(1)).toEqual([
    ["X-Request-Id", "correlation-1"],
    ["tracestate", "a=trace-state-1,b=trace-state-2"],
  ]);
});

test("redacts a line of prose under the names of the exchanges", () => {
  const redactor = createRedactor({ secrets: ["swordfish"] });
  const { body } = redacted({ body: { party: alice } }, redactor);
  const name = JSON.parse(body).party;
  expect(redactor.redactText(`No ${alice}, no alice, swordfish`)).toBe(`No ${name}, no party-1, secret-1`);
  expect(redactor.redactText("Not Found")).toBe("Not Found");
});

test("redacts a long run of punctuation in linear time", () => {
  const redactor = createRedactor();
  redactor.redact(sent({ body: JSON.stringify({ party: alice }) }));
  const dashes = "-".repeat(1_000_000);
  expect(redactor.redactText(`a${dashes}b alice${dashes}`)).toBe(`a${dashes}b party-1${dashes}`);
});

test.each([
  ["a token in the target", { target: `/v2/idps?access_token=a1${"x".repeat(200_000)}` }],
  ["a cookie of characters that JSON escapes", { headers: [["Cookie", `a=${"\\".repeat(8000)}`] as const] }],
])("redacts %s of any length", (_, given) => {
  expect(JSON.stringify(redacted(given))).not.toMatch(/x{100}|(?:\\\\){100}/);
});

test("a short value of a secret name in the target is not searched elsewhere", () => {
  const { target, response } = redacted(
    { target: "/v2/idps?session=abc123", responseBody: `{"contractId":"00abc123${hex("d").slice(8)}"}` },
    { keepsIds: true },
  );
  expect([target.includes("abc123"), response.includes("00abc123")]).toEqual([false, true]);
});

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_exchange.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import type { ExchangeContext } from "../rules/rule.ts";
import { checkTrace } from "./checker.ts";
import type { VerdictSummary } from "./verdict.ts";

const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });
const integer = "12345678901234567890";
const lookup = "/registry/transfer-instruction/v2/transfer-factory";

interface HostileExchange {
  readonly method?: string;
  readonly target: string;
  readonly request?: string;
  readonly status?: number;
  readonly response: string;
  readonly context?: ExchangeContext;
}

function checked(exchanges: Iterable<HostileExchange>): VerdictSummary {
  return checkTrace(stepsOf(exchanges), { spec }).summary();
}

function* stepsOf(exchanges: Iterable<HostileExchange>): Generator<{ exchange: Exchange; context: ExchangeContext }> {
  for (const { method = "POST", target, request = "", status = 200, response, context = {} } of exchanges) {
    const sent = { method, target, headers: [["Host", "h"]], body: request } as const;
    const exchange = exchangeOf({ ...sent, status, responseBody: response });
    yield { exchange, context };
  }
}

const vetted = `{"packages":[{"packageId":"a","validFromInclusive":${integer}}],"participantId":"p::1220ab","synchronizerId":"s::1220ab","topologySerial":1}`;
const disclosed = (contractId: string) =>
  `{"factoryId":"00","transferKind":"offer","choiceContext":{"choiceContextData":{},"disclosedContracts":[{"templateId":"a:B:C","contractId":"${contractId}","createdEventBlob":"","synchronizerId":""}]}}`;

test.each<[string, HostileExchange]>([
  [
    "a long integer in an error",
    {
      method: "GET",
      target: "/v2/users",
      status: 404,
      response: `{"code":"A","cause":"b","context":{},"errorCategory":11,"correlationId":${integer}}`,
    },
  ],
  [
    "a long integer for a bound of a package",
    {
      target: "/v2/package-vetting",
      request: '{"changes":[]}',
      response: `{"pastVettedPackages":${vetted},"newVettedPackages":${vetted}}`,
    },
  ],
  [
    "a long integer for an account",
    {
      target: lookup,
      request: `{"choiceArguments":{"transfer":{"sender":{"owner":"a::1220ab","id":${integer}},"receiver":{"owner":"b::1220ab","id":""}}}}`,
      response: disclosed("00"),
    },
  ],
  [
    "an annotation with the name of an inherited member",
    {
      method: "PATCH",
      target: "/v2/users/a",
      request:
        '{"user":{"id":"a","metadata":{"annotations":{"constructor":"x","__proto__":"y"}}},"updateMask":{"paths":["metadata.annotations"],"unknownFields":{"fields":{}}}}',
      response: '{"user":{"id":"a","metadata":{"resourceVersion":"1","annotations":{}}}}',
    },
  ],
  [
    "a contract id with the name of an inherited member",
    {
      target: lookup,
      request: '{"choiceArguments":{}}',
      response: disclosed("constructor"),
      context: { assigned: {}, contractsInFlight: [] },
    },
  ],
])("checks %s without an error of its own", (_name, exchange) => {
  expect(checked([exchange]).exchanges).toBe(1);
});

test("checks only the beginning of a long list of invalid users", () => {
  const response = JSON.stringify({ users: Array(100_000).fill(1) });
  const { violations } = checked([{ method: "GET", target: "/v2/users", response }]);
  expect(violations.map(({ fingerprint }) => fingerprint)).toContain("body-schema getV2Users 200 /users/* type");
});

test("a list with an error in every entry gives fifty findings", () => {
  const response = JSON.stringify({ users: Array(60_000).fill({ id: "same" }), nextPageToken: "" });
  const { violations } = checked([{ method: "GET", target: "/v2/users", response }]);
  expect(violations.find(({ rule }) => rule === "page-without-repeats")?.count).toBe(50);
});

test("truncates a member name of a hundred thousand characters", () => {
  const name = "-eyJ".repeat(25_000);
  const { violations } = checked([
    {
      target: lookup,
      request: '{"choiceArguments":{}}',
      response: `{"factoryId":"00","transferKind":"offer","choiceContext":{"choiceContextData":{"values":{"${name}":5}},"disclosedContracts":[]}}`,
    },
  ]);
  const found = violations.find(({ rule }) => rule === "context-data-form");
  expect(found?.pointer.length).toBeLessThan(2100);
  expect(found?.fingerprint.length).toBeLessThanOrEqual(500);
});

test("finds an operation behind a prefix that looks like a ledger path", () => {
  expect(checked([{ method: "GET", target: "/v2/ledger/v2/users", response: '{"users":{}}' }]).failed).toBe(1);
});

/** Exchanges in which every id is unique and has a hundred thousand characters. */
function* longIds(rounds: number): Generator<HostileExchange> {
  for (let round = 0; round < rounds; round += 1) {
    const id = (place: number) => `${round}-${place}-`.padEnd(100_000, "x");
    const metadata = { resourceVersion: "0", annotations: { [id(0)]: id(0) } };
    const users = [1, 2, 3, 4, 5].map((place) => ({ id: id(place), metadata }));
    const rights = [{ kind: { CanActAs: { value: { party: id(6) } } } }];
    const [target, state] = [`/v2/users/${id(7)}`, { packages: [{ packageId: id(8) }], synchronizerId: id(9) }];
    const json = JSON.stringify;
    yield { method: "GET", target: "/v2/users", response: json({ users, nextPageToken: id(10) }) };
    yield { target: `${target}/rights`, request: json({ userId: id(7), rights }), response: "{}" };
    yield { method: "PATCH", target, request: "{}", response: json({ user: { id: id(7), metadata } }) };
    yield { method: "DELETE", target, response: "{}" };
    yield {
      target: "/v2/package-vetting",
      request: json({ changes: [] }),
      response: json({ pastVettedPackages: state, newVettedPackages: state }),
    };
    yield {
      target: "/v2/interactive-submission/executeAndWait",
      request: json({ preparedTransaction: id(11), submissionId: "s" }),
      response: json({ updateId: id(12), completionOffset: round }),
    };
  }
}

test("evicts ids of a hundred thousand characters within its memory limit", () => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  const heapBytes = () => {
    if (typeof collect === "function") collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heapBytes();
  let most = 0;
  function* watched(): Generator<HostileExchange> {
    let count = 0;
    for (const exchange of longIds(140)) {
      count += 1;
      if (count % 120 === 0) most = Math.max(most, heapBytes());
      yield exchange;
    }
  }
  const { coverage } = checked(watched());
  expect(Object.keys(coverage.trace.evicted)).toContain("pages-disjoint");
  expect((most - before) / 1e6).toBeLessThan(110);
});

import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_exchange.ts";
import { emptyBody } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { textResponse } from "../../foundation/http/response.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { timestampOf } from "../../foundation/text/timestamp.ts";
import { rememberedMax } from "./bounded-memory.ts";
import { checkTrace } from "./checker.ts";
import { reorderedMax } from "./exchange-queue.ts";
import type { VerdictSummary } from "./verdict.ts";

const spec = loadSpec({ ledger: "spec", registry: "spec" }, { hasAdditionalOperations: true });
const right = { kind: { CanActAs: { value: { party: "alice::1220ab" } } } };
const epochMs = Date.parse("2026-01-01T00:00:00Z");

interface GrantOptions {
  readonly user?: string;
  readonly host?: string;
  readonly method?: string;
  readonly status?: number;
}

/** A grant or a revocation of one right, with a response that lists it as changed, between two times in milliseconds. */
function grant(
  startMs: number,
  endMs: number,
  { user = "a", host = "h", method = "POST", status = 200 }: GrantOptions = {},
): Exchange {
  const [rights, response] = method === "POST" ? [[right], "newlyGrantedRights"] : [[right], "newlyRevokedRights"];
  return exchangeOf({
    startedAt: timestampOf(epochMs + startMs),
    durationMs: endMs - startMs,
    method,
    target: `/v2/users/${user}/rights`,
    headers: [["Host", host]],
    body: { userId: user, rights },
    status,
    responseBody: { [response]: [right] },
  });
}

const fromCache = {
  request: { method: "GET", target: "/v2/users", headers: [["Host", "h"]], body: emptyBody },
  response: { ...textResponse(200, "application/json", '{"users":[]}'), headers: [["Age", "5"]] },
} as const;

function checked(exchanges: readonly Exchange[]): VerdictSummary {
  const steps = exchanges.map((exchange) => ({ exchange }));
  return checkTrace(steps, { spec, order: "by-time" }).summary();
}

const rule = "grants-are-idempotent";
const failures = (exchanges: readonly Exchange[]) =>
  checked(exchanges).violations.filter((violation) => violation.rule === rule && violation.outcome === "FAIL").length;

test.each([
  ["one after the other", [grant(0, 10), grant(20, 30)], 1],
  ["recorded in reverse order", [grant(20, 30), grant(0, 10)], 1],
  ["one after the other within a millisecond", [grant(0.1, 0.4), grant(0.5, 0.8)], 1],
  ["at the same time", [grant(0, 10), grant(5, 15)], 0],
  ["at the same time within a millisecond", [grant(0.1, 0.4), grant(0.3, 0.8)], 0],
  ["one within the millisecond in which the other ends", [grant(0, 10), grant(11, 15)], 0],
  ["of different users", [grant(0, 10), grant(20, 30, { user: "b" })], 0],
  ["at different targets", [grant(0, 10), grant(20, 30, { host: "other" })], 0],
  ["with a revocation in between", [grant(0, 10), grant(12, 14, { method: "PATCH" }), grant(20, 30)], 0],
  ["with a revocation that overlaps", [grant(0, 10), grant(12, 25, { method: "PATCH" }), grant(20, 30)], 0],
  ["with a revocation that is recorded late", [grant(0, 10), grant(20, 30), grant(12, 25, { method: "PATCH" })], 0],
  ["with a rejected revocation", [grant(0, 10), grant(12, 14, { method: "PATCH", status: 404 }), grant(20, 30)], 1],
  [
    "with a revocation that may still take effect",
    [grant(0, 10), grant(12, 14, { method: "PATCH", status: 504 }), grant(20, 30)],
    0,
  ],
])("counts the violations if two grants list the same right as new: %s", (_name, exchanges, count) => {
  expect(failures(exchanges)).toBe(count);
});

test("an exchange that arrives too late clears the memory, and the coverage counts it", () => {
  const later = Array.from({ length: reorderedMax + 1 }, (_, index) =>
    grant(1000 + index * 10, 1005 + index * 10, { user: `u${index}` }),
  );
  const summary = checked([grant(900, 910), ...later, grant(0, 10)]);
  expect(summary.coverage.trace.resets).toBe(1);
  expect(summary.failed).toBe(0);
});

test("a change in progress stays known when another exchange arrives too late", () => {
  const revocation = grant(900, 100_000, { method: "PATCH" });
  const later = Array.from({ length: reorderedMax + 1 }, (_, index) =>
    grant(1000 + index * 10, 1005 + index * 10, { user: `u${index}` }),
  );
  const late = grant(0, 10, { user: "z" });
  const exchanges = [revocation, ...later, late, grant(20_000, 20_010), grant(100_100, 100_110)];
  expect(checked(exchanges).coverage.trace.resets).toBe(1);
  expect(failures(exchanges)).toBe(0);
});

test("drops open exchanges beyond the size limit, and skips exchanges until they end", () => {
  const large = { ...right, note: "x".repeat(1024 * 1024) };
  const open = Array.from({ length: 40 }, (_, index) => {
    const one = grant(index, 1000, { user: `u${index}` });
    return { ...one, response: textResponse(200, "application/json", JSON.stringify({ newlyGrantedRights: [large] })) };
  });
  const { trace } = checked([...open, grant(500, 510), grant(520, 530), grant(2000, 2010)]).coverage;
  expect([trace.resets, trace.untimed]).toEqual([1, 10]);
  expect(failures([...open, grant(500, 510), grant(520, 530), grant(2000, 2010)])).toBe(0);
  expect(failures([...open, grant(2000, 2010), grant(2020, 2030)])).toBe(1);
});

test.each([
  ["over another scheme", "https://h/v2/users/a/rights", 1],
  ["at the usual port", "http://H:80/v2/users/a/rights", 1],
  ["behind another prefix", "http://h/other/v2/users/a/rights", 0],
])("recognizes the target by host and path prefix: a request %s", (_name, target, count) => {
  const other = grant(20, 30);
  expect(failures([grant(0, 10), { ...other, request: { ...other.request, target } }])).toBe(count);
});

test("skips a response from a cache", () => {
  const summary = checked([{ ...grant(0, 10), ...fromCache }]);
  expect(summary.coverage.trace.untimed).toBe(1);
});

test("exchange rules check an exchange without a time; trace rules skip it, and the coverage counts it", () => {
  const summary = checked([{ ...grant(0, 10), startedAt: "" }, grant(20, 30)]);
  expect(summary.coverage.trace.untimed).toBe(1);
  expect(summary.matrix.some((row) => row.rule === "granted-within-requested" && row.count === 2)).toBe(true);
  expect(summary.failed).toBe(0);
});

test("lists the reasons of inconclusive results with their counts", () => {
  const { inconclusive } = checked([grant(0, 10), grant(5, 15)]).coverage;
  expect(inconclusive.filter((entry) => entry.rule === rule)).toEqual([
    { rule, reason: "another change was in progress at the same time", count: 1 },
    { rule, reason: "no earlier exchange shows the value", count: 1 },
  ]);
});

test("counts evicted entries by rule", () => {
  const many = Array.from({ length: rememberedMax + 1 }, (_, index) =>
    grant(index * 10, index * 10 + 5, { user: `u${index}` }),
  );
  expect(checked(many).coverage.trace.evicted[rule]).toBe(1);
});

/** A page of users, received within the millisecond in which it was requested. */
function page(query: string, ids: readonly string[], nextPageToken: string): Exchange {
  const responseBody = { users: ids.map((id) => ({ id })), nextPageToken };
  return exchangeOf({ durationMs: 0.4, target: `/v2/users${query}`, headers: [["Host", "h"]], responseBody });
}

test("a page follows the page that gave its token, even if their times overlap", () => {
  const repeated = [page("", ["a"], "t"), page("?pageToken=t", ["a"], "")];
  expect(checked(repeated).violations.map((violation) => violation.rule)).toEqual(["pages-disjoint"]);
  expect(checked([page("", ["a"], "t"), page("?pageToken=t", ["b"], "")]).violations).toEqual([]);
});

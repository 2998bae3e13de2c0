import { expect, test } from "vitest";
import type { Handler } from "../../foundation/http/handler.ts";
import type { Api } from "../../foundation/spec/contracts.ts";
import { RateLimitedClient, type RateLimitOptions } from "./rate-limited-client.ts";

const startMs = Date.parse("2026-01-01T00:00:00Z");

interface Given {
  readonly api?: Api;
  readonly method?: string;
  readonly client?: Partial<RateLimitOptions>;
}

/** Asks once where answers come in this order, the last one again and again: what came of it, and when it asked. */
async function asking(responses: readonly (readonly [status: number, retryAfter?: string])[], given: Given = {}) {
  const { api = "ledger", method = "GET" } = given;
  const atMs: number[] = [];
  let now = startMs;
  const handler: Handler = async () => {
    atMs.push(now - startMs);
    const [status = 200, retryAfter] = responses[atMs.length - 1] ?? responses.at(-1) ?? [];
    const headers = retryAfter === undefined ? [] : [["Retry-After", retryAfter] as const];
    return { type: "response", status, headers, body: new Uint8Array() };
  };
  const client = new RateLimitedClient({
    endpoints: { [api]: { baseUrl: "http://a.test", handler } },
    ratePerSecond: 1000,
    requestsMax: 100,
    userAgent: "test",
    nowMs: () => now,
    isStopped: () => false,
    wait: async (durationMs) => {
      now += durationMs;
    },
    whyUnreachable: () => undefined,
    ...given.client,
  });
  const once = () =>
    client.send(api, "operation", { method, target: "/x", headers: [], body: new Uint8Array() }).then(
      ({ response }) => (response.type === "response" ? response.status : response.kind),
      ({ message }) => String(message),
    );
  return { came: await once(), again: once, atMs };
}

test.each([
  ["a 429 by the seconds that it names", [429, "7"], 7000],
  ["a 429 until the date that it names", [429, "Thu, 01 Jan 2026 00:00:12 GMT"], 12_000],
  ["a 429 that names no time for a second", [429], 1000],
  ["a 429 that names no time of a kind for a second", [429, "soon"], 1000],
  ["a 503 by the seconds that it names", [503, "3"], 3000],
] as const)("waits for %s, and gives what comes then", async (_, busy, waitedMs) => {
  const { came, atMs } = await asking([busy, [200]]);
  expect({ came, atMs }).toEqual({ came: 200, atMs: [0, waitedMs] });
});

test("takes a 503 that names no time for a response", async () => {
  expect(await asking([[503], [200]])).toMatchObject({ came: 503, atMs: [0] });
});

test("repeats requests after 429, and reads after 503, but no write that a 503 may have applied", async () => {
  const post = { method: "POST" };
  expect(await asking([[429, "2"], [200]], post)).toMatchObject({ came: 200, atMs: [0, 2000] });
  expect(await asking([[503, "2"], [200]], { ...post, api: "registry" })).toMatchObject({ came: 200, atMs: [0, 2000] });
  const { came, again, atMs } = await asking([[503, "2"], [200]], post);
  expect([came, await again(), atMs]).toEqual([503, 200, [0, 2000]]);
});

test("stops sending to an API that asks for a long wait or stays busy, with the reason", async () => {
  const { came, again, atMs } = await asking([[429, "31"]]);
  const reason = "the ledger is busy: it returned 429 and asks to wait 31 s, more than the limit of 30 s per request";
  expect([came, await again(), atMs]).toEqual([reason, reason, [0]]);
  const often = await asking([[429, "0"]]);
  expect(often.came).toContain("the ledger is busy: it returned 429 and asks to wait 16 s");
  expect(often.atMs).toEqual([0, 1000, 3000, 7000, 15_000]);
});

test("an interruption ends a wait early", async () => {
  let naps = 0;
  const wait = async () => {
    naps += 1;
  };
  const { came } = await asking([[429, "20"]], { client: { wait, isStopped: () => naps >= 3 } });
  expect([came, naps]).toEqual(["interrupted", 3]);
});

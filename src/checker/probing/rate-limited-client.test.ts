import { expect, test } from "vitest";
import { emptyBody } from "../../foundation/http/body.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import type { Api } from "../../foundation/spec/contracts.ts";
import { RateLimitedClient, type RateLimitOptions } from "./rate-limited-client.ts";

const startMs = Date.parse("2026-01-01T00:00:00Z");

interface SendOptions {
  readonly api?: Api;
  readonly method?: string;
  readonly client?: Partial<RateLimitOptions>;
}

/** Sends a request to a target with these responses, the last one repeated. Gives the result and the times of the requests. */
async function sent(responses: readonly (readonly [status: number, retryAfter?: string])[], options: SendOptions = {}) {
  const { api = "ledger", method = "GET" } = options;
  const atMs: number[] = [];
  let now = startMs;
  const handler: Handler = async () => {
    atMs.push(now - startMs);
    const [status = 200, retryAfter] = responses[atMs.length - 1] ?? responses.at(-1) ?? [];
    const headers = retryAfter === undefined ? [] : [["Retry-After", retryAfter] as const];
    return { type: "response", status, headers, body: emptyBody };
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
    ...options.client,
  });
  const once = () =>
    client.send(api, "operation", { method, target: "/x", headers: [], body: emptyBody }).then(
      ({ response }) => (response.type === "response" ? response.status : response.kind),
      ({ message }) => String(message),
    );
  return { result: await once(), again: once, atMs };
}

test.each([
  ["the seconds of a 429", [429, "7"], 7000],
  ["the date of a 429", [429, "Thu, 01 Jan 2026 00:00:12 GMT"], 12_000],
  ["a second after a 429 without Retry-After", [429], 1000],
  ["a second after a 429 with an invalid Retry-After", [429, "soon"], 1000],
  ["the seconds of a 503", [503, "3"], 3000],
] as const)("waits for %s, and gives the next response", async (_, busy, waitedMs) => {
  const { result, atMs } = await sent([busy, [200]]);
  expect({ result, atMs }).toEqual({ result: 200, atMs: [0, waitedMs] });
});

test("does not repeat a request after a 503 without Retry-After", async () => {
  expect(await sent([[503], [200]])).toMatchObject({ result: 503, atMs: [0] });
});

test("repeats requests after 429, and reads after 503, but no write that a 503 may have applied", async () => {
  const post = { method: "POST" };
  expect(await sent([[429, "2"], [200]], post)).toMatchObject({ result: 200, atMs: [0, 2000] });
  expect(await sent([[503, "2"], [200]], { ...post, api: "registry" })).toMatchObject({ result: 200, atMs: [0, 2000] });
  const { result, again, atMs } = await sent([[503, "2"], [200]], post);
  expect([result, await again(), atMs]).toEqual([503, 200, [0, 2000]]);
});

test("stops sending to an API that asks for a long wait or stays busy, with the reason", async () => {
  const { result, again, atMs } = await sent([[429, "31"]]);
  const reason = "the ledger is busy: it returned 429 and asks to wait 31 s, more than the limit of 30 s per request";
  expect([result, await again(), atMs]).toEqual([reason, reason, [0]]);
  const often = await sent([[429, "0"]]);
  expect(often.result).toContain("the ledger is busy: it returned 429 and asks to wait 16 s");
  expect(often.atMs).toEqual([0, 1000, 3000, 7000, 15_000]);
});

test("an interruption ends a wait early", async () => {
  let naps = 0;
  const wait = async () => {
    naps += 1;
  };
  const { result } = await sent([[429, "20"]], { client: { wait, isStopped: () => naps >= 3 } });
  expect([result, naps]).toEqual(["interrupted", 3]);
});

import { expect, test } from "vitest";
import { Verdict } from "../../../checker/engine/verdict.ts";
import { emptyBody } from "../../../foundation/http/body.ts";
import type { Exchange } from "../../../foundation/http/exchange.ts";
import { textResponse } from "../../../foundation/http/response.ts";
import { loadSpec, newestProfileOf } from "../../../foundation/spec/spec.ts";
import { profileOf } from "../flags/profile-flags.ts";
import { LiveChecker } from "./live-checker.ts";

const spec = loadSpec(
  profileOf(
    { folder: "/", positionals: [], text: () => undefined, texts: () => [], flag: () => false, isWord: () => false },
    newestProfileOf("ledger"),
  ),
);

function checking() {
  const verdict = new Verdict(spec);
  const settings = {
    spec,
    level: "release",
    areAdditionalOperationsChecked: false,
    order: "by-time",
    isExclusive: false,
  } as const;
  return { verdict, checker: new LiveChecker(settings, verdict) };
}

function lookedUp(text: string): Exchange {
  const request = { method: "GET", target: "http://node/v2/users", headers: [], body: emptyBody };
  const response = textResponse(200, "application/json", text);
  return { startedAt: "2026-01-01T00:00:00.000Z", durationMs: 1, request, response };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("checks one exchange a turn, and counts those that fail", async () => {
  const { checker } = checking();
  for (let count = 0; count < 3; count += 1) checker.add(lookedUp('{"users":5}'));
  expect(checker.failed).toBe(0);
  for (const failed of [1, 2, 3]) {
    await turn();
    expect(checker.failed).toBe(failed);
  }
});

test("what is left is checked at the end, large exchanges too", async () => {
  const { checker, verdict } = checking();
  checker.add(lookedUp('{"users":5}'));
  checker.add(lookedUp(`{"users":5,"more":"${"x".repeat(20_000)}"}`));
  checker.end();
  expect(verdict.summary()).toMatchObject({ exchanges: 2, failed: 2, coverage: { cuts: 0 } });
  await turn();
  expect(verdict.summary().exchanges).toBe(2);
});

test("what comes too fast is counted, and the trace begins anew behind it", async () => {
  const { checker, verdict } = checking();
  for (let count = 0; count < 10_003; count += 1) checker.add(lookedUp("[]"));
  expect(checker.inconclusive).toBe(3);
  await turn();
  checker.add(lookedUp("[]"));
  checker.end();
  expect(verdict.summary()).toMatchObject({ exchanges: 10_001, coverage: { cuts: 1 } });
});

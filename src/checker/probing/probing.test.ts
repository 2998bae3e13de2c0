import { afterAll, expect, test, vi } from "vitest";
import type { Handler } from "../../foundation/http/handler.ts";
import { textResponse } from "../../foundation/http/response.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { Verdict } from "../engine/verdict.ts";
import type { TraceRule } from "../rules/rule.ts";
import type { Probe } from "./probe.ts";
import { CreatedList } from "./probe-run.ts";
import { runProbes } from "./probing.ts";
import { RateLimitedClient } from "./rate-limited-client.ts";

/** Another client could have changed the list between two responses. */
const sameAsBefore: () => TraceRule = vi.hoisted(() => () => ({
  type: "trace",
  id: "same-as-before",
  section: "1",
  severity: "error",
  summary: "A list stays the same.",
  assumesExclusiveUse: true,
  examples: { kept: [], broken: [] },
  watch() {
    const seen = new Map<string, string>();
    return {
      ends({ operation: { operationId }, responseBody }) {
        const responseText = responseBody.text();
        const before = seen.get(operationId);
        const isChanged = before !== undefined && before !== responseText;
        seen.set(operationId, responseText);
        const findings = isChanged ? [{ expected: "as before", actual: responseText, pointer: "" }] : [];
        return { type: "findings", findings };
      },
    };
  },
}));

vi.mock("../rules/index.ts", () => ({ rules: [sameAsBefore()] }));
// The worker may have cached modules with the real rules, and later test files need the real rules again.
vi.hoisted(() => vi.resetModules());
afterAll(() => void vi.resetModules());

const listTwice: Probe = {
  id: "list-twice",
  summary: "",
  section: "1",
  safety: "safe",
  needs: [],
  reaches: [],
  async run({ send }) {
    await send({ operationId: "getV2Idps" });
    await send({ operationId: "getV2Idps" });
  },
};

const listBothTwice: Probe = {
  ...listTwice,
  async run({ send }) {
    for (const operationId of ["getV2Idps", "getV2Users", "getV2Idps", "getV2Users"]) await send({ operationId });
  },
};

async function outcomesOf(probe: Probe, bodies: readonly string[]) {
  let count = 0;
  const handler: Handler = async () => {
    count += 1;
    return textResponse(200, "application/json", bodies[count - 1] ?? "none");
  };
  const client = new RateLimitedClient({
    endpoints: { ledger: { baseUrl: "http://ledger.test", handler } },
    ratePerSecond: 1,
    requestsMax: 10,
    userAgent: "test",
    nowMs: () => 0,
    isStopped: () => false,
    wait: async () => undefined,
    whyUnreachable: () => undefined,
  });
  const spec = loadSpec({ ledger: "spec", registry: "spec" });
  const verdict = new Verdict(spec);
  await runProbes({
    client,
    spec,
    verdict,
    probes: [probe],
    tokens: { administrator: "a" },
    values: {},
    connectedSynchronizers: undefined,
    hooks: {},
    startedAtMs: 0,
    created: new CreatedList(),
    level: "spec",
    areAdditionalOperationsChecked: false,
    allowed: "destructive",
    prefix: "p",
    apis: new Set(["ledger"]),
    onProbe: () => undefined,
  });
  return { outcomes: verdict.summary().violations.map(({ outcome, count: times }) => [outcome, times]), count };
}

test("a probe without findings runs once", async () => {
  expect(await outcomesOf(listTwice, ["a", "a"])).toEqual({ outcomes: [], count: 2 });
});

test("a failure that another client could have caused is a warning if a second run does not repeat it", async () => {
  expect(await outcomesOf(listTwice, ["a", "b", "b", "b"])).toEqual({ outcomes: [["WARN", 1]], count: 4 });
});

test("a failure that another client could have caused fails if a second run repeats it", async () => {
  expect(await outcomesOf(listTwice, ["a", "b", "b", "c"])).toEqual({ outcomes: [["FAIL", 2]], count: 4 });
});

test("of two failures that another client could have caused, only the repeated one fails", async () => {
  expect(await outcomesOf(listBothTwice, ["a", "a", "b", "b", "c", "c", "d", "c"])).toEqual({
    outcomes: [
      ["FAIL", 2],
      ["WARN", 1],
    ],
    count: 8,
  });
});

test("a destructive probe runs once, and a failure that another client could have caused is a warning", async () => {
  const destructive = { ...listTwice, safety: "destructive" } as const;
  expect(await outcomesOf(destructive, ["a", "b"])).toEqual({ outcomes: [["WARN", 1]], count: 2 });
});

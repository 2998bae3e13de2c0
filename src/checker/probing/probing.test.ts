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

/** Somebody else could have changed the list between two of its responses. */
const sameAsBefore: () => TraceRule = vi.hoisted(() => () => ({
  type: "trace",
  id: "same-as-before",
  section: "1",
  severity: "error",
  summary: "A list stays.",
  assumesExclusiveUse: true,
  examples: { kept: [], broken: [] },
  watch() {
    const seen = new Map<string, string>();
    return {
      ends({ operation: { operationId }, responseText }) {
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
// The worker may have loaded modules with the true rules for files before this one, and loads them again for files after it.
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

test("what somebody else could have done is not asked again where it is not found", async () => {
  expect(await outcomesOf(listTwice, ["a", "a"])).toEqual({ outcomes: [], count: 2 });
});

test("what somebody else could have done is a warning where it is found once", async () => {
  expect(await outcomesOf(listTwice, ["a", "b", "b", "b"])).toEqual({ outcomes: [["WARN", 1]], count: 4 });
});

test("what somebody else could have done fails where it is found twice", async () => {
  expect(await outcomesOf(listTwice, ["a", "b", "b", "c"])).toEqual({ outcomes: [["FAIL", 2]], count: 4 });
});

test("of two things that somebody else could have done the one that is found twice fails", async () => {
  expect(await outcomesOf(listBothTwice, ["a", "a", "b", "b", "c", "c", "d", "c"])).toEqual({
    outcomes: [
      ["FAIL", 2],
      ["WARN", 1],
    ],
    count: 8,
  });
});

test("what cannot be undone is done once, and what somebody else could have done then is a warning", async () => {
  const destructive = { ...listTwice, safety: "destructive" } as const;
  expect(await outcomesOf(destructive, ["a", "b"])).toEqual({ outcomes: [["WARN", 1]], count: 2 });
});

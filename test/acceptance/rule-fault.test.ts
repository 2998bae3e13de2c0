import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import type { ExchangeRule, TraceRule } from "../../src/checker/rules/rule.ts";
import { check } from "../../src/entrypoints/cli/check/check.ts";
import { readOptions } from "../../src/entrypoints/cli/options.ts";
import { inProcess, temporaryFolder } from "./_command-line.ts";

// One rule for each function that can throw, and one rule of each type that works.
const planted: () => readonly (ExchangeRule | TraceRule)[] = vi.hoisted(() => () => {
  const fail = (): never => {
    throw new TypeError("no such member");
  };
  const text = { section: "4", severity: "warning", summary: "", examples: { kept: [], broken: [] } } as const;
  const rule = (id: string, calls: Pick<ExchangeRule, "appliesTo" | "check">): ExchangeRule => ({
    ...text,
    type: "exchange",
    id,
    ...calls,
  });
  const traceRule = (id: string, watch: TraceRule["watch"]): TraceRule => ({
    ...text,
    type: "trace",
    id,
    assumesExclusiveUse: false,
    watch,
  });
  const finding = { expected: "a", actual: "b", pointer: "" };
  return [
    rule("fails-to-apply", { appliesTo: fail, check: () => [] }),
    rule("fails-to-check", { appliesTo: () => true, check: fail }),
    rule("finds", { appliesTo: () => true, check: () => [finding] }),
    traceRule("fails-to-watch", fail),
    traceRule("fails-to-begin", () => ({ begins: fail, ends: () => ({ type: "not-applicable" }) })),
    traceRule("fails-to-end", () => ({ ends: fail })),
    traceRule("finds-too", () => ({ ends: () => ({ type: "findings", findings: [finding] }) })),
  ];
});

vi.mock("../../src/checker/rules/index.ts", () => ({ rules: planted() }));
// The worker may have cached modules with the real rules, and later test files need the real rules again.
vi.hoisted(() => vi.resetModules());
afterAll(() => void vi.resetModules());

const entry = (second: number) => ({
  startedDateTime: `2026-01-01T00:00:0${second}Z`,
  time: 1,
  request: { method: "GET", url: "http://node/v2/users", headers: [] },
  response: { status: 200, headers: [], content: { mimeType: "application/json", text: "{}" } },
});

async function checked(...words: readonly string[]) {
  const folder = temporaryFolder();
  const har = join(folder, "seen.har");
  writeFileSync(har, JSON.stringify({ log: { entries: [entry(1), entry(2)] } }));
  const [out, error]: [string[], string[]] = [[], []];
  const exitCode = await check.run(readOptions(check, [har, ...words], inProcess), {
    ...inProcess,
    print: (text) => out.push(text),
    printError: (text) => error.push(text),
  });
  return { exitCode, out: out.join("\n"), error: error.join("\n") };
}

const failing = ["fails-to-apply", "fails-to-begin", "fails-to-check", "fails-to-end", "fails-to-watch"];

test("a rule that throws gives a violation, hides no other finding, and ends the check with exit code 4", async () => {
  const { exitCode, out, error } = await checked();
  expect(exitCode).toBe(4);
  for (const rule of failing) {
    expect(out).toContain(`FAIL ${rule}: getV2Users 200, GET /v2/users (2 times)`);
    expect(out).toContain(`actual    internal: rule ${rule} threw on this exchange (TypeError: no such member)`);
  }
  for (const rule of ["finds", "finds-too"]) expect(out).toContain(`WARN ${rule}: getV2Users 200, GET /v2/users`);
  expect(out).toContain("2 exchanges: 0 passed, 0 with known divergences only, 2 failed");
  expect(error).toMatch(/^Understudy has a bug: rule fails-to-apply threw 2 times, .*Please report it/);
});

test("no baseline accepts a rule that throws", async () => {
  const folder = temporaryFolder();
  const accepting = ["--baseline", join(folder, "accepted.yaml")];
  const { exitCode, out } = await checked(...accepting, "--update-baseline");
  expect([exitCode, out.match(/^FAIL /gm)?.length]).toEqual([4, failing.length]);
  expect(out).toContain("Accepted by the baseline: finds getV2Users 200 -; finds-too getV2Users 200 -\n");
});

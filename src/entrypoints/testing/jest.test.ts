import { expect, onTestFinished, test } from "vitest";
import { useUnderstudy } from "./jest.ts";

const headers = { Authorization: "Bearer any" };

/** Jest as far as it is needed: it keeps the hooks, and runs a test between them. */
function jest() {
  const hooks = { beforeAll: nothing, beforeEach: nothing, afterEach: nothing, afterAll: nothing };
  const keep = (name: keyof typeof hooks) => (hook: () => Promise<void> | void) => {
    hooks[name] = async () => hook();
  };
  const globals = {
    beforeAll: keep("beforeAll"),
    beforeEach: keep("beforeEach"),
    afterEach: keep("afterEach"),
    afterAll: keep("afterAll"),
    expect: { extend: () => undefined },
  };
  onTestFinished(() => hooks.afterAll());
  const run = async (body: () => Promise<void> | void) => {
    await hooks.beforeEach();
    await body();
    await hooks.afterEach();
  };
  return { globals, hooks, run };
}

async function nothing(): Promise<void> {}

test("each test has a world of its own, and there is none before, between and after them", async () => {
  const { globals, hooks, run } = jest();
  const stage = useUnderstudy({}, globals);
  await hooks.beforeAll();
  expect(() => stage.understudy).toThrow("there is a stub within tests and their hooks only");
  const urls: string[] = [];
  const ask = async () => {
    urls.push(stage.understudy.ledgerUrl);
    await fetch(`${stage.understudy.ledgerUrl}/v2/users`, { headers });
    expect(stage.understudy.journal).toHaveLength(1);
  };
  await run(ask);
  expect(() => stage.understudy).toThrow("Jest runs no hooks for test.concurrent");
  await run(ask);
  expect(new Set(urls).size).toBe(2);
});

test("what nobody expected fails a test with its timeline, and a world that the test closed fails none", async () => {
  const { globals, hooks, run } = jest();
  const stage = useUnderstudy({}, globals);
  await hooks.beforeAll();
  const ask = async () => void (await fetch(`${stage.understudy.ledgerUrl}/v2/userz`, { headers }));
  await expect(run(ask)).rejects.toThrow(/a request that nobody expected:[\s\S]*Understudy was asked once:/);
  await run(() => stage.understudy.close());
});

test("where Jest is not there, it says what to give", () => {
  expect(() => useUnderstudy()).toThrow("Jest's globals are not there. Run this under Jest, or give them");
});

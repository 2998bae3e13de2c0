import { expect, onTestFinished, test } from "vitest";
import { useUnderstudy } from "./jest.ts";

const headers = { Authorization: "Bearer any" };

/** A minimal Jest: it keeps the hooks, and runs a test between them. */
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

/** Sets the state that jest-circus keeps of the running test. */
function runningTest(currentlyRunningTest: object): void {
  const state = Symbol("JEST_STATE_SYMBOL");
  Reflect.set(globalThis, state, { currentlyRunningTest });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, state));
}

async function nothing(): Promise<void> {}

test("each test has its own world, and reading it outside a test throws", async () => {
  const { globals, hooks, run } = jest();
  const stage = useUnderstudy({}, globals);
  await hooks.beforeAll();
  expect(() => stage.understudy).toThrow("the stub exists only inside tests and their hooks");
  const urls: string[] = [];
  const ask = async () => {
    urls.push(stage.understudy.ledgerUrl);
    await fetch(`${stage.understudy.ledgerUrl}/v2/users`, { headers });
    expect(stage.understudy.journal).toHaveLength(1);
  };
  await run(ask);
  expect(() => stage.understudy).toThrow("test.concurrent is not supported");
  await run(ask);
  expect(new Set(urls).size).toBe(2);
});

test("an unexpected request fails the test with a timeline, and closing the world does not", async () => {
  const { globals, hooks, run } = jest();
  const stage = useUnderstudy({}, globals);
  await hooks.beforeAll();
  const ask = async () => void (await fetch(`${stage.understudy.ledgerUrl}/v2/userz`, { headers }));
  await expect(run(ask)).rejects.toThrow(/1 unexpected request:[\s\S]*Understudy received 1 request:/);
  await run(() => stage.understudy.close());
});

test("a test that fails by itself has one failure, with the problems and the timeline inside", async () => {
  const { globals, hooks, run } = jest();
  const stage = useUnderstudy({}, globals);
  await hooks.beforeAll();
  const error = Object.assign(new Error("expected 1 to be 2"), { generatedMessage: true });
  runningTest({ errors: [[error, new Error()]] });
  await run(async () => void (await fetch(`${stage.understudy.ledgerUrl}/v2/userz`, { headers })));
  expect(error.message).toMatch(/^expected 1 to be 2\n\nThe test sent 1 unexpected request:[\s\S]*received 1 request:/);
  expect(error.generatedMessage).toBe(false);
});

test("a test that only fails at its end has the line of its declaration", async () => {
  const { globals, hooks, run } = jest();
  const stage = useUnderstudy({}, globals);
  await hooks.beforeAll();
  runningTest({ errors: [], asyncError: { stack: "Error\n    at users.test.ts:12:1" } });
  const ended = run(async () => void (await fetch(`${stage.understudy.ledgerUrl}/v2/userz`, { headers })));
  await expect(ended).rejects.toMatchObject({ stack: expect.stringMatching(/null\}\n {4}at users\.test\.ts:12:1$/) });
});

test("without Jest's globals, the error says how to pass them", () => {
  expect(() => useUnderstudy()).toThrow("Jest's globals are not defined. Run this under Jest, or pass them");
});

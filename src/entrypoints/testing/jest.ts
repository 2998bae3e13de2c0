import { endOfTest } from "../../stub/control/end-of-test.ts";
import { startUnderstudy } from "../library/start-understudy.ts";
import type { Understudy } from "../library/understudy.ts";
import { withConfiguredOptions } from "./configured-options.ts";
import { type ConformOptions, toConform } from "./conform.ts";
import { addToError, errorOf, splitOptions, type UnderstudyTestOptions } from "./end-of-test.ts";
import { type ExpectedRequest, toHaveReceived } from "./received.ts";
import { TestWarnings } from "./warnings.ts";

export type { EndOfTestOptions } from "../../stub/control/end-of-test.ts";
export type { UnderstudyTestOptions } from "./end-of-test.ts";
export type { ConformOptions, ExpectedRequest };

/** The globals of Jest, also available as `import * as jest from "@jest/globals"`. */
export interface JestGlobals {
  readonly beforeAll: (hook: () => Promise<void>) => void;
  readonly beforeEach: (hook: () => void) => void;
  readonly afterEach: (hook: () => Promise<void>) => void;
  readonly afterAll: (hook: () => Promise<void>) => void;
  readonly expect: { extend(matchers: object): void };
}

/**
 * Starts one server per test file and forks a world for each test, available as `understudy` of the returned object. Adds the
 * matchers `toConform` and `toHaveReceived`. An unexpected request or a broken client rule fails the test, with a timeline.
 * Throws if Jest's globals are switched off and `globals` is not given.
 *
 * @example
 * const stage = useUnderstudy({ profile: "canton-3.5" });
 * test("lists the users", async () => {
 *   await listUsers(stage.understudy.ledgerUrl);
 *   expect(stage.understudy).toHaveReceived({ operation: "getV2Users" });
 * });
 */
export function useUnderstudy(
  options: UnderstudyTestOptions = {},
  globals: JestGlobals = globalsOfJest(),
): { readonly understudy: Understudy } {
  const given = withConfiguredOptions(options);
  const { stubOptions, endOptions } = splitOptions(given);
  const warnings = new TestWarnings(given);
  const stage: { server?: Understudy; fork?: Understudy } = {};
  globals.expect.extend({ toConform, toHaveReceived });
  globals.beforeAll(async () => {
    stage.server = await startUnderstudy(stubOptions);
  });
  globals.beforeEach(() => {
    if (stage.server !== undefined) stage.fork = stage.server.fork();
  });
  globals.afterEach(async () => {
    const { fork } = stage;
    delete stage.fork;
    if (fork === undefined) return;
    const ended = endOfTest(fork, endOptions);
    warnings.after(fork);
    await fork.close();
    const { failure, frames } = runningTest();
    const isAdded = failure !== undefined && addToError(failure, ended);
    // Jest shows the message of an error of node:assert only if the test wrote it.
    if (isAdded && memberOf(failure, "generatedMessage") === true) Reflect.set(failure, "generatedMessage", false);
    if (!isAdded && ended.problems !== undefined) throw errorOf(ended, frames);
  });
  globals.afterAll(async () => {
    await stage.server?.close();
  });
  return {
    get understudy(): Understudy {
      if (stage.fork === undefined) throw new Error(noStub);
      return stage.fork;
    },
  };
}

/** Jest runs hooks of the same kind in the order in which they are declared. */
const noStub =
  "the stub exists only inside tests and their hooks. Declare afterEach hooks that use it before useUnderstudy. test.concurrent is not supported: Jest runs no hooks for it.";

/** A test of Jest that its hooks look at. */
interface RunningTest {
  /** The last error of the test; undefined if it passed, or threw a value that is not an error. */
  readonly failure: { message: string; stack?: string } | undefined;
  /** Stack frames of the declaration of the test. */
  readonly frames: string;
}

/**
 * The running test. Jest shows an error of a hook as a second failure of the test, and gives hooks no access to the first one: it
 * is only in the state that jest-circus keeps at a symbol. Another runner has no such state; a failure is then not found.
 */
function runningTest(): RunningTest {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === "JEST_STATE_SYMBOL",
  );
  const running = symbol === undefined ? undefined : memberOf(Reflect.get(globalThis, symbol), "currentlyRunningTest");
  const errors = memberOf(running, "errors");
  const last: unknown = Array.isArray(errors) ? errors.at(-1) : undefined;
  const error: unknown = Array.isArray(last) ? last[0] : last;
  const declared = memberOf(memberOf(running, "asyncError"), "stack");
  return {
    failure: isErrorLike(error) ? error : undefined,
    frames: /\n {4}at .*/s.exec(String(declared))?.[0] ?? "",
  };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** By its members: Jest's own errors have the Error of another realm. */
function isErrorLike(value: unknown): value is { message: string; stack?: string } {
  return typeof memberOf(value, "message") === "string";
}

function globalsOfJest(): JestGlobals {
  const found: unknown = globalThis;
  if (hasJestGlobals(found)) return found;
  throw new Error(
    'Jest\'s globals are not defined. Run this under Jest, or pass them: import * as jest from "@jest/globals"; useUnderstudy(options, jest).',
  );
}

function hasJestGlobals(value: unknown): value is JestGlobals {
  return (
    typeof value === "object" && value !== null && "beforeAll" in value && "afterEach" in value && "expect" in value
  );
}

declare global {
  namespace jest {
    interface Matchers<R> {
      /** Checks that responses conform to the spec: exchanges, a journal, a stub, or a `Response` of `fetch`. Await it. */
      toConform(options?: ConformOptions): Promise<R>;
      /** Checks that a stub received matching requests. If not, the message shows the nearest one. */
      toHaveReceived(expected: ExpectedRequest): R;
    }
  }
}

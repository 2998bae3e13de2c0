import { startUnderstudy } from "../library/start-understudy.ts";
import type { Understudy } from "../library/understudy.ts";
import { type ConformOptions, toConform } from "./conform.ts";
import { endOfTest, optionsApart, type UnderstudyTestOptions } from "./end-of-test.ts";
import { type ExpectedRequest, toHaveReceived } from "./received.ts";

export type { EndOfTestOptions, UnderstudyTestOptions } from "./end-of-test.ts";
export type { ConformOptions, ExpectedRequest };

/** What Jest gives each test file; `import { afterAll, … } from "@jest/globals"` gives the same. */
export interface JestGlobals {
  readonly beforeAll: (hook: () => Promise<void>) => void;
  readonly beforeEach: (hook: () => void) => void;
  readonly afterEach: (hook: () => Promise<void>) => void;
  readonly afterAll: (hook: () => Promise<void>) => void;
  readonly expect: { extend(matchers: object): void };
}

/**
 * Gives each test of a file a world of its own behind one server, as `understudy` of what it returns, and adds the matchers
 * `toConform` and `toHaveReceived`. A request that nobody expected and a broken client rule fail the test, with its timeline.
 * Throws where Jest's globals are switched off and not given.
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
  const { started, ending } = optionsApart(options);
  const stage: { server?: Understudy; fork?: Understudy } = {};
  globals.expect.extend({ toConform, toHaveReceived });
  globals.beforeAll(async () => {
    stage.server = await startUnderstudy(started);
  });
  globals.beforeEach(() => {
    if (stage.server !== undefined) stage.fork = stage.server.fork();
  });
  globals.afterEach(async () => {
    const { fork } = stage;
    delete stage.fork;
    if (fork === undefined || fork.isClosed) return;
    const { problems, timeline } = endOfTest(fork, ending);
    await fork.close();
    if (problems !== undefined) throw new Error(`${problems}\n\n${timeline}`);
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
  "there is a stub within tests and their hooks only: put afterEach hooks that need it before useUnderstudy. Jest runs no hooks for test.concurrent, so there is none.";

function globalsOfJest(): JestGlobals {
  const found: unknown = globalThis;
  if (hasJestGlobals(found)) return found;
  throw new Error(
    'Jest\'s globals are not there. Run this under Jest, or give them: import * as jest from "@jest/globals"; useUnderstudy(settings, jest).',
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
      /** Whether answers keep the contract: exchanges, a journal, a stub, or a response of `fetch`. Await it. */
      toConform(options?: ConformOptions): Promise<R>;
      /** Whether a stub has received such requests; if not, the nearest one is shown. */
      toHaveReceived(expected: ExpectedRequest): R;
    }
  }
}

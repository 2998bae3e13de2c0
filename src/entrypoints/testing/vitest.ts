import { expect, type TestAPI, test as vitestTest } from "vitest";
import { type EndOfTest, endOfTest } from "../../stub/control/end-of-test.ts";
import { startUnderstudy } from "../library/start-understudy.ts";
import type { Understudy } from "../library/understudy.ts";
import type { UnderstudyOptions } from "../library/understudy-options.ts";
import { withConfiguredOptions } from "./configured-options.ts";
import { type ConformOptions, toConform } from "./conform.ts";
import { addToError, errorOf, splitOptions, type UnderstudyTestOptions } from "./end-of-test.ts";
import { type ExpectedRequest, toHaveReceived } from "./received.ts";
import { TestWarnings } from "./warnings.ts";

export { expect } from "vitest";
export type { EndOfTestOptions } from "../../stub/control/end-of-test.ts";
export type { UnderstudyTestOptions } from "./end-of-test.ts";
export type { ConformOptions, ExpectedRequest };

/** Fixtures of a test. */
export interface UnderstudyFixtures {
  /** The test's own world, on the server of its worker. */
  readonly understudy: Understudy;
}

/** The servers of a worker by their options. vitest 3 gives all fixtures of a worker that have the same name the same value. */
type Servers = Map<UnderstudyOptions, Promise<Understudy>>;

/**
 * Creates a `test` function with a stub: one server per worker, one fork per test, so concurrent tests are isolated.
 * An unexpected request or a broken client rule fails the test; a failed test shows its timeline.
 *
 * @example
 * const test = understudyTest({ scenario: "scenarios/rights.arazzo.yaml", profile: "canton-3.5" });
 */
export function understudyTest(options: UnderstudyTestOptions = {}): TestAPI<UnderstudyFixtures> {
  const given = withConfiguredOptions(options);
  const { stubOptions, endOptions } = splitOptions(given);
  const warnings = new TestWarnings(given);
  return vitestTest.extend<UnderstudyFixtures & { readonly understudyServers: Servers }>({
    understudyServers: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the required fixtures from the pattern.
      async ({}, use) => {
        const servers: Servers = new Map();
        await use(servers);
        for (const started of await Promise.allSettled(servers.values()))
          if (started.status === "fulfilled") await started.value.close();
      },
      { scope: "worker" },
    ],
    understudy: async ({ understudyServers, onTestFinished, task: { result } }, use) => {
      const server = understudyServers.get(stubOptions) ?? startUnderstudy(stubOptions);
      understudyServers.set(stubOptions, server);
      await using fork = (await server).fork();
      const stage: { ended?: EndOfTest } = {};
      // A retry keeps the errors of the attempts before it.
      const errorsBefore = result?.errors?.length ?? 0;
      // The hook runs after the fork is closed. vitest reports an error of a hook once, but an error of a fixture twice.
      onTestFinished(({ task }) => {
        const { ended } = stage;
        const failed = task.result?.errors?.slice(errorsBefore).at(-1);
        if (ended !== undefined && failed !== undefined) addToError(failed, ended);
        else if (ended?.problems !== undefined) throw errorOf(ended);
      });
      await use(fork);
      stage.ended = endOfTest(fork, endOptions);
      warnings.after(fork);
    },
  });
}

/**
 * `test` of vitest with a stub of the built-in quickstart.
 *
 * @example
 * test("lists the users", async ({ understudy }) => {
 *   const users = await listUsers(understudy.ledgerUrl);
 *   expect(understudy).toHaveReceived({ operation: "getV2Users", times: 1 });
 * });
 */
export const test: TestAPI<UnderstudyFixtures> = understudyTest();

expect.extend({ toConform, toHaveReceived });

/** Matchers of `expect` for stubs and responses. */
export interface UnderstudyMatchers<Result> {
  /** Checks that responses conform to the spec: exchanges, a journal, a stub, or a `Response` of `fetch`. Await it. */
  toConform(options?: ConformOptions): Promise<Result>;
  /** Checks that a stub received matching requests. If not, the message shows the nearest one. */
  toHaveReceived(expected: ExpectedRequest): Result;
}

// `Matchers` of vitest 3 and 4 has other type parameters than that of vitest 5; all three take the matchers of Chai.
declare global {
  namespace Chai {
    interface Assertion extends UnderstudyMatchers<void> {}
  }
}

import { expect, type TestAPI, test as vitestTest } from "vitest";
import { startUnderstudy } from "../library/start-understudy.ts";
import type { Understudy } from "../library/understudy.ts";
import { type ConformOptions, toConform } from "./conform.ts";
import { type EndOfTest, endOfTest, optionsApart, type UnderstudyTestOptions } from "./end-of-test.ts";
import { type ExpectedRequest, toHaveReceived } from "./received.ts";

export { expect } from "vitest";
export type { EndOfTestOptions, UnderstudyTestOptions } from "./end-of-test.ts";
export type { ConformOptions, ExpectedRequest };

/** What a test gets. */
export interface UnderstudyFixtures {
  /** A world of the test's own, behind the server of its worker. */
  readonly understudy: Understudy;
}

/**
 * A `test` whose stub starts from these settings: one server per worker, one fork per test, so that tests that run at
 * the same time never see each other. A request that nobody expected fails the test, and so does a broken client rule; of a test that
 * fails the timeline is shown.
 *
 * @example
 * const test = understudyTest({ scenario: "scenarios/rights.arazzo.yaml", profile: "canton-3.5" });
 */
export function understudyTest(options: UnderstudyTestOptions = {}): TestAPI<UnderstudyFixtures> {
  const { started, ending } = optionsApart(options);
  return vitestTest.extend<UnderstudyFixtures & { readonly understudyServer: Understudy }>({
    understudyServer: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures this one needs.
      async ({}, use) => {
        await using server = await startUnderstudy(started);
        await use(server);
      },
      { scope: "worker" },
    ],
    understudy: async ({ understudyServer, onTestFailed, onTestFinished }, use) => {
      await using fork = understudyServer.fork();
      const stage: { ended?: EndOfTest } = {};
      // Both hooks run after the fork is closed; vitest tells what they throw once, and what a fixture throws twice.
      onTestFinished(() => {
        if (stage.ended?.problems !== undefined) throw new Error(stage.ended.problems);
      });
      onTestFailed(({ task }) => {
        if (stage.ended !== undefined) task.result?.errors?.push({ name: "Timeline", message: stage.ended.timeline });
      });
      await use(fork);
      stage.ended = endOfTest(fork, ending);
    },
  });
}

/**
 * A `test` with the built-in quickstart.
 *
 * @example
 * test("lists the users", async ({ understudy }) => {
 *   const users = await listUsers(understudy.ledgerUrl);
 *   expect(understudy).toHaveReceived({ operation: "getV2Users", times: 1 });
 * });
 */
export const test: TestAPI<UnderstudyFixtures> = understudyTest();

expect.extend({ toConform, toHaveReceived });

/** What `expect` can say of stand-ins and responds. */
export interface UnderstudyMatchers<Result> {
  /** Whether answers keep the contract: exchanges, a journal, a stub, or a response of `fetch`. Await it. */
  toConform(options?: ConformOptions): Promise<Result>;
  /** Whether a stub has received such requests; if not, the nearest one is shown. */
  toHaveReceived(expected: ExpectedRequest): Result;
}

declare module "vitest" {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends UnderstudyMatchers<R> {}
}

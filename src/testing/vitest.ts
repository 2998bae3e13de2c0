import { expect, type TestAPI, test as vitestTest } from "vitest";
import type { UnderstudySettings } from "../library/settings.ts";
import { startUnderstudy } from "../library/start-understudy.ts";
import type { Understudy } from "../library/understudy.ts";
import { type ConformSettings, toConform } from "./conform.ts";
import { type EndOfTestSettings, problemsAtEnd } from "./end-of-test.ts";
import { type ExpectedRequest, toHaveReceived } from "./received.ts";
import { timeline } from "./timeline.ts";

export { expect } from "vitest";
export type { ConformSettings, EndOfTestSettings, ExpectedRequest };

/** What a test gets. */
export interface UnderstudyFixtures {
  /** A world of the test's own, behind the server of its worker. */
  readonly understudy: Understudy;
}

/**
 * A `test` whose stand-in starts from these settings: one server per worker, one fork per test, so that tests that run at
 * the same time never see each other. A request that nobody expected fails the test; of a test that fails the timeline
 * is shown.
 *
 * @example
 * const test = understudyTest({ scenario: "scenarios/rights.arazzo.yaml", profile: "canton-3.5" });
 */
export function understudyTest(settings: UnderstudySettings & EndOfTestSettings = {}): TestAPI<UnderstudyFixtures> {
  const { onUnexpected = "fail", ...started } = settings;
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
      // Both hooks run after the fork is closed; vitest tells what they throw once, and what a fixture throws twice.
      let { journal } = fork;
      onTestFinished(() => {
        const problems = problemsAtEnd(journal, { onUnexpected });
        if (problems !== undefined) throw new Error(problems);
      });
      onTestFailed(({ task }) => {
        task.result?.errors?.push({ name: "Timeline", message: timeline(journal) });
      });
      await use(fork);
      if (!fork.isClosed) journal = fork.journal;
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

/** What `expect` can say of stand-ins and answers. */
export interface UnderstudyMatchers<Result> {
  /** Whether answers keep the contract: exchanges, a journal, a stand-in, or a response of `fetch`. Await it. */
  toConform(settings?: ConformSettings): Promise<Result>;
  /** Whether a stand-in has received such requests; if not, the nearest one is shown. */
  toHaveReceived(expected: ExpectedRequest): Result;
}

declare module "vitest" {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends UnderstudyMatchers<R> {}
}

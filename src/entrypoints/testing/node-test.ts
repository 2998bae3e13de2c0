import { AssertionError } from "node:assert";
import { after, test as nodeTest, type TestContext } from "node:test";
import { endOfTest, textOf } from "../../stub/control/end-of-test.ts";
import { withoutOwnFrames } from "../library/for-user.ts";
import { startUnderstudy } from "../library/start-understudy.ts";
import type { Understudy } from "../library/understudy.ts";
import { withConfiguredOptions } from "./configured-options.ts";
import { type Conformable, type ConformOptions, toConform } from "./conform.ts";
import { addToError, errorOf, splitOptions, type UnderstudyTestOptions } from "./end-of-test.ts";
import type { MatcherResult } from "./matcher-result.ts";
import { type ExpectedRequest, toHaveReceived } from "./received.ts";
import { TestWarnings } from "./warnings.ts";

export type { EndOfTestOptions } from "../../stub/control/end-of-test.ts";
export type { UnderstudyTestOptions } from "./end-of-test.ts";
export type { Conformable, ConformOptions, ExpectedRequest };

/** Arguments of a test: its own world, and the context of `node:test`. */
export interface NodeTestFixtures {
  readonly understudy: Understudy;
  readonly t: TestContext;
}

/** Declares a test of `node:test` that has its own stub. */
export type UnderstudyNodeTest = (name: string, run: (fixtures: NodeTestFixtures) => Promise<void> | void) => void;

/**
 * Creates a `test` function with a stub: one server per file, one fork per test. An unexpected request or a broken client
 * rule fails the test; a failed test shows its timeline.
 *
 * @example
 * const test = understudyTest({ profile: "canton-3.5" });
 * test("lists the users", async ({ understudy }) => {
 *   await listUsers(understudy.ledgerUrl);
 *   assertReceived(understudy, { operation: "getV2Users" });
 * });
 */
export function understudyTest(options: UnderstudyTestOptions = {}): UnderstudyNodeTest {
  const given = withConfiguredOptions(options);
  const { stubOptions, endOptions } = splitOptions(given);
  const warnings = new TestWarnings(given);
  const stage: { server?: Promise<Understudy> } = {};
  after(async () => {
    // If the stub did not start, its error is the failure of each test.
    await (await stage.server?.catch(() => undefined))?.close();
  });
  return function declare(name, run) {
    const declared = { stack: "" };
    Error.captureStackTrace(declared, declare);
    // The line of the declaration: node:test itself names the line of the next call.
    const [frame = ""] = /\n {4}at .*/.exec(declared.stack) ?? [];
    // The runner waits for its tests; callers do not have to.
    void nodeTest(name, async (t) => {
      stage.server ??= startUnderstudy(stubOptions);
      await using understudy = (await stage.server).fork();
      try {
        await run({ understudy, t });
      } catch (error) {
        const ended = endOfTest(understudy, endOptions);
        if (!(error instanceof Error && addToError(error, ended)) && textOf(ended) !== "") t.diagnostic(textOf(ended));
        throw error;
      }
      const ended = endOfTest(understudy, endOptions);
      warnings.after(understudy);
      if (ended.problems !== undefined) throw errorOf(ended, frame);
    });
  };
}

/** Throws an AssertionError that lists the broken rules unless responses conform to the spec. */
export async function assertConforms(received: Conformable, options?: ConformOptions): Promise<void> {
  throwUnlessPassed(await toConform(received, options));
}

/** Throws an AssertionError that shows the nearest request unless a stub received matching ones. */
export function assertReceived(understudy: Pick<Understudy, "journal">, expected: ExpectedRequest): void {
  throwUnlessPassed(toHaveReceived(understudy, expected));
}

function throwUnlessPassed({ pass, message }: MatcherResult): void {
  if (!pass) throw withoutOwnFrames(new AssertionError({ message: message(), stackStartFn: throwUnlessPassed }));
}

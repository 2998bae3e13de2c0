import { AssertionError } from "node:assert";
import { after, test as nodeTest, type TestContext } from "node:test";
import { startUnderstudy } from "../library/start-understudy.ts";
import type { Understudy } from "../library/understudy.ts";
import { type Conformable, type ConformOptions, toConform } from "./conform.ts";
import { endOfTest, optionsApart, type UnderstudyTestOptions } from "./end-of-test.ts";
import type { MatcherResult } from "./matcher-result.ts";
import { type ExpectedRequest, toHaveReceived } from "./received.ts";

export type { EndOfTestOptions, UnderstudyTestOptions } from "./end-of-test.ts";
export type { Conformable, ConformOptions, ExpectedRequest };

/** What a test gets: a world of its own, and what `node:test` gives. */
export interface NodeTestFixtures {
  readonly understudy: Understudy;
  readonly t: TestContext;
}

/** Declares a test of `node:test` with a stub. */
export type UnderstudyNodeTest = (name: string, run: (fixtures: NodeTestFixtures) => Promise<void> | void) => void;

/**
 * A `test` whose stub starts from these settings: one server per file, one fork per test. A request that nobody
 * expected and a broken client rule fail the test; a test that fails shows its timeline.
 *
 * @example
 * const test = understudyTest({ profile: "canton-3.5" });
 * test("lists the users", async ({ understudy }) => {
 *   await listUsers(understudy.ledgerUrl);
 *   assertReceived(understudy, { operation: "getV2Users" });
 * });
 */
export function understudyTest(options: UnderstudyTestOptions = {}): UnderstudyNodeTest {
  const { started, ending } = optionsApart(options);
  const stage: { server?: Promise<Understudy> } = {};
  after(async () => {
    await (await stage.server)?.close();
  });
  return (name, run) => {
    // The runner waits for what it has begun; nobody else has to.
    void nodeTest(name, async (t) => {
      stage.server ??= startUnderstudy(started);
      await using understudy = (await stage.server).fork();
      try {
        await run({ understudy, t });
        const { problems } = endOfTest(understudy, ending);
        if (problems !== undefined) throw new AssertionError({ message: problems });
      } catch (error) {
        t.diagnostic(endOfTest(understudy, ending).timeline);
        throw error;
      }
    });
  };
}

/** Throws an AssertionError unless answers keep the contract; it tells each broken rule. */
export async function assertConforms(received: Conformable, options?: ConformOptions): Promise<void> {
  throwUnlessPassed(await toConform(received, options));
}

/** Throws an AssertionError unless a stub has received such requests; it tells the nearest one. */
export function assertReceived(understudy: Pick<Understudy, "journal">, expected: ExpectedRequest): void {
  throwUnlessPassed(toHaveReceived(understudy, expected));
}

function throwUnlessPassed({ pass, message }: MatcherResult): void {
  if (!pass) throw new AssertionError({ message: message() });
}

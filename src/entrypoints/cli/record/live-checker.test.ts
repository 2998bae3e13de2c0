import { expect, test } from "vitest";
import { exchangeOf } from "../../../../test/_exchange.ts";
import { Verdict } from "../../../checker/engine/verdict.ts";
import { defaultProfileOf, loadSpec } from "../../../foundation/spec/spec.ts";
import { profileOf } from "../flags/profile-flags.ts";
import { LiveChecker } from "./live-checker.ts";

const spec = loadSpec(
  profileOf(
    {
      folder: "/",
      positionals: [],
      text: () => undefined,
      texts: () => [],
      flag: () => false,
      isSet: () => false,
      isWord: () => false,
      placeOf: () => "",
      config: undefined,
    },
    defaultProfileOf("ledger"),
  ),
);

function liveChecker() {
  const verdict = new Verdict(spec);
  const options = {
    spec,
    level: "release",
    areAdditionalOperationsChecked: false,
    order: "by-time",
    isExclusive: false,
  } as const;
  return { verdict, checker: new LiveChecker(options, verdict) };
}

const usersExchange = (responseBody: string) => exchangeOf({ target: "http://node/v2/users", responseBody });

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("checks one exchange per turn, and counts the failed ones", async () => {
  const { checker } = liveChecker();
  for (let count = 0; count < 3; count += 1) checker.add(usersExchange('{"users":5}'));
  expect(checker.failed).toBe(0);
  for (const failed of [1, 2, 3]) {
    await turn();
    expect(checker.failed).toBe(failed);
  }
});

test("waiting exchanges are checked at the end, large ones too", async () => {
  const { checker, verdict } = liveChecker();
  checker.add(usersExchange('{"users":5}'));
  checker.add(usersExchange(`{"users":5,"more":"${"x".repeat(20_000)}"}`));
  checker.end();
  expect(verdict.summary()).toMatchObject({ exchanges: 2, failed: 2, coverage: { cuts: 0 } });
  await turn();
  expect(verdict.summary().exchanges).toBe(2);
});

test("exchanges beyond the limit are counted, and a new trace begins after them", async () => {
  const { checker, verdict } = liveChecker();
  for (let count = 0; count < 10_003; count += 1) checker.add(usersExchange("[]"));
  expect(checker.inconclusive).toBe(3);
  await turn();
  checker.add(usersExchange("[]"));
  checker.end();
  expect(verdict.summary()).toMatchObject({ exchanges: 10_001, coverage: { cuts: 1 } });
});

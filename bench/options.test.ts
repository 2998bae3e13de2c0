import { expect, test } from "vitest";
import { help, readOptions } from "./options.ts";
import { quickEffort, wholeEffort } from "./plan.ts";

const known = ["users", "start"];

test("measures everything by default", () => {
  const options = readOptions([], known);
  expect(options).toMatchObject({ only: known, hasPeers: true, against: undefined, effort: wholeEffort });
});

test("takes cases, another checkout and rounds", () => {
  const options = readOptions(["--quick", "--only", "start", "--against", "old", "--rounds", "9", "--no-peers"], known);
  expect(options).toMatchObject({
    only: ["start"],
    hasPeers: false,
    against: "old",
    effort: { ...quickEffort, rounds: 9 },
  });
});

test("refuses unknown cases, unknown flags and other rounds", () => {
  expect(() => readOptions(["--only", "users,strat"], known)).toThrow("--only: unknown case strat. Use users, start.");
  expect(() => readOptions(["--fast"], known)).toThrow("--fast");
  expect(() => readOptions(["--rounds", "0"], known)).toThrow("--rounds 0: use an integer above 0.");
});

test("the help lists the cases", () => {
  expect(help(known)).toContain("of users, start\n");
});

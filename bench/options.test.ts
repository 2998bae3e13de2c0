import { expect, test } from "vitest";
import { readBenchOptions } from "./options.ts";
import { quickEffort, wholeEffort } from "./plan.ts";

const known = { cases: ["users", "patch", "check"], servers: ["understudy", "bare", "prism"] };
const read = (...words: string[]) => readBenchOptions(words, known);

test("without flags everything is run, and the run is a whole one", () => {
  expect(read()).toEqual({
    only: known.cases,
    servers: known.servers,
    effort: wholeEffort,
    isWhole: true,
    isHelp: false,
  });
});

test("a part of it, or less of it, is no whole run", () => {
  expect(["--only=users", "--servers=bare", "--quick"].map((word) => read(word).isWhole)).toEqual([
    false,
    false,
    false,
  ]);
});

test("cases and servers keep their order, however they are named", () => {
  expect(read("--only", "check, users", "--servers", "prism,understudy")).toMatchObject({
    only: ["users", "check"],
    servers: ["understudy", "prism"],
  });
});

test("rounds and seconds are given by number, quick or not", () => {
  expect(read("--quick", "--rounds", "2").effort).toEqual({ ...quickEffort, rounds: 2 });
  expect(() => read("--seconds", "0")).toThrow("--seconds 0: not a valid number. Use 1 to 999.");
});

test("suggests the nearest name for a misspelt flag, case or server", () => {
  expect(() => read("--round", "2")).toThrow('unknown flag --round. Did you mean "rounds"?');
  expect(() => read("--only", "user")).toThrow('--only: unknown value user. Did you mean "users"?');
  expect(() => read("--servers", "prisma")).toThrow('--servers: unknown value prisma. Did you mean "prism"?');
  expect(() => read("users")).toThrow('Unexpected argument "users". Use flags only.');
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { tableOf } from "../../foundation/table/table.ts";
import type { Right } from "../../simulator/ledger/right.ts";
import { noRights } from "../../simulator/ledger/rights.ts";
import { differenceOf, entriesOf, withEntries } from "./difference.ts";
import { restoredValue, storedValue } from "./stored-value.ts";

const actAs = (party: string): Right => ({ type: "CanActAs", party });
const user = (id: string, ...parties: readonly string[]) => ({ id, rights: noRights.with(parties.map(actAs)) });
const users = (...rows: readonly ReturnType<typeof user>[]) => ({
  ledger: { end: 1n, users: tableOf(rows.map((row) => [row.id, row])) },
});

/** The text of a value as a store keeps it. */
const textOf = (value: unknown) => JSON.stringify(storedValue(value));

test.each([
  ["equal states", users(user("a")), users(user("a")), []],
  ["a new row", users(), users(user("a")), [[["ledger", "users", "a"], { id: "a", rights: { $rights: [] } }]]],
  ["a removed row", users(user("a")), users(), [[["ledger", "users", "a"]]]],
  [
    "a granted right alone",
    users(user("a", "p")),
    users(user("a", "p", "q")),
    [[["ledger", "users", "a", "rights", "CanActAs q"], { right: { type: "CanActAs", party: "q" }, number: 1 }]],
  ],
  ["a member", { end: 1n, now: 5 }, { end: 2n, now: 5 }, [[["end"], { $bigint: "2" }]]],
  ["a member that appears", { end: 1n }, { end: 1n, now: 5 }, [[[], { end: { $bigint: "1" }, now: 5 }]]],
  ["a key of a map", new Map([["a", { n: 1 }]]), new Map([["a", { n: 2 }]]), [[["a", "n"], 2]]],
  [
    "keys in another order",
    new Map([
      ["a", 1],
      ["b", 2],
    ]),
    new Map([
      ["b", 2],
      ["a", 1],
    ]),
    [
      [
        [],
        {
          $map: [
            ["b", 2],
            ["a", 1],
          ],
        },
      ],
    ],
  ],
])("the difference of two states has %s", (_, before: unknown, after: unknown, entries) => {
  expect(differenceOf(before, after)).toEqual(entries);
  expect(textOf(withEntries(before, differenceOf(before, after)))).toBe(textOf(after));
});

test("rights keep the order in which they were granted", () => {
  const [before, after] = [users(user("a", "z")), users(user("a", "z", "c", "b"))];
  const restored = withEntries(before, differenceOf(before, after));
  expect(textOf(restored)).toBe(textOf(after));
  expect(textOf(withEntries(undefined, entriesOf(after)))).toBe(textOf(after));
});

const leaf = fc.oneof(
  fc.string(),
  fc.double({ noNaN: true }),
  fc.bigInt(),
  fc.constantFrom(null, true, Number.POSITIVE_INFINITY),
  fc.uint8Array({ maxLength: 4 }),
);
const { value: valueOfWorld } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("$map", "$bigint", "__proto__", "a")), tie("value"), {
      maxKeys: 3,
    }),
    fc.array(fc.tuple(fc.string(), tie("value")), { maxLength: 4 }).map((rows) => new Map(rows)),
    fc.array(fc.tuple(fc.string(), tie("value")), { maxLength: 4 }).map((rows) => tableOf(rows)),
    fc.uniqueArray(fc.string(), { maxLength: 3 }).map((each) => new Set(each)),
  ),
}));

test("every value of a world is stored and restored unchanged", () => {
  fc.assert(
    fc.property(valueOfWorld, (value) => {
      const text = textOf(value);
      expect(textOf(restoredValue(JSON.parse(text)))).toBe(text);
      expect(textOf(withEntries(undefined, JSON.parse(JSON.stringify([...entriesOf(value)]))))).toBe(text);
    }),
    { numRuns: 300 },
  );
});

test("the difference of any two values leads from the first to the second", () => {
  fc.assert(
    fc.property(valueOfWorld, valueOfWorld, (before, after) => {
      const entries = JSON.parse(JSON.stringify(differenceOf(before, after)));
      expect(textOf(withEntries(before, entries))).toBe(textOf(after));
      if (entries.length === 0) expect(textOf(before)).toBe(textOf(after));
    }),
    { numRuns: 300 },
  );
});

test.each([
  { $bigint: "x" },
  { $map: [1] },
  { $table: "a" },
  { $unknown: 1 },
  { $bytes: "?" },
  { $rights: [["k", 1]] },
])("%j is no stored value", (stored) => {
  expect(() => restoredValue(stored)).toThrow();
});

import { expect, test } from "vitest";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { differencesBetween } from "./compare-responses.ts";
import { Correspondence } from "./correspondence.ts";
import { keyOf } from "./names.ts";

const json = (value: unknown) => textResponse(200, "application/json", JSON.stringify(value));
const one = `1220${"1".repeat(64)}`;
const two = `1220${"2".repeat(64)}`;
const three = `1220${"3".repeat(64)}`;
const four = `1220${"4".repeat(64)}`;

/** All differences between the responses of two independent nodes. */
function compared(
  responses: readonly (readonly [oracle: Response, target: Response])[],
  correspondence = new Correspondence(),
) {
  return responses.flatMap(([oracle, target], place) => [
    ...differencesBetween(oracle, target, { place, isControl: false, areIndependentNodes: true }, correspondence),
  ]);
}

test.each([
  ["the id of a node", { participantId: `participant1::${one}` }, { participantId: `node-b::${two}` }],
  ["a synchronizer with its serial", { synchronizer: `a::${one}::34-0` }, { synchronizer: `b::${two}::34-0` }],
  ["a short fingerprint", { party: "a::1220ab" }, { party: "b::1220cd" }],
  ["the order of a list", { packageIds: [one, two] }, { packageIds: [three, four] }],
  ["the order of rows", { users: [{ id: "a" }, { id: "b" }] }, { users: [{ id: "b" }, { id: "a" }] }],
  ["a time", { at: "2026-01-01T00:00:00Z" }, { at: "2020-01-01T00:00:00Z" }],
])("%s may differ between independent nodes", (_name, oracle, target) => {
  expect(compared([[json(oracle), json(target)]])).toEqual([]);
});

test("matches offsets of independent nodes in any order", () => {
  const correspondence = new Correspondence();
  const at = (offset: number) => json({ offset });
  expect(
    compared(
      [
        [at(5), at(70)],
        [at(6), at(60)],
      ],
      correspondence,
    ),
  ).toEqual([]);
  expect(correspondence.targetOf(keyOf({ space: "offset", text: "6" }))).toBe(keyOf({ space: "offset", text: "60" }));
});

test("finds every difference, and matches the ids beside it", () => {
  const correspondence = new Correspondence();
  const oracle = json({ a: 1, b: null, party: `a::${one}`, c: "x" });
  const target = json({ a: 2, party: `b::${two}`, c: "y", d: true });
  expect(compared([[oracle, target]], correspondence)).toMatchObject([
    { aspect: "value", pointer: "/a", oracle: 1, target: 2 },
    { aspect: "missing", pointer: "/b" },
    { aspect: "value", pointer: "/c" },
    { aspect: "surplus", pointer: "/d" },
  ]);
  expect(correspondence.targetOf(one)).toBe(two);
});

test("matches rows by the names that are matched already", () => {
  const row = (party: string, isLocal: boolean) => ({ party, isLocal });
  const known = [json({ party: `a::${one}` }), json({ party: `a::${four}` })] as const;
  const lists = [
    json({ parties: [row(`a::${one}`, true), row(`a::${two}`, true)] }),
    json({ parties: [row(`a::${three}`, true), row(`a::${four}`, true)] }),
  ] as const;
  const correspondence = new Correspondence();
  expect(compared([known, lists], correspondence)).toEqual([]);
  expect(correspondence.targetOf(two)).toBe(three);
  const mixed = json({ parties: [row(`a::${three}`, false), row(`a::${four}`, true)] });
  expect(compared([known, [lists[0], mixed]])).toMatchObject([{ aspect: "value" }]);
});

test("a name from a request matches only itself", () => {
  const correspondence = new Correspondence();
  correspondence.bindItself(keyOf({ space: "id", text: "alice" }));
  const responses = [json({ party: `alice::${one}` }), json({ party: `bob::${two}` })] as const;
  expect(compared([responses], correspondence)).toMatchObject([{ aspect: "identity", pointer: "/party" }]);
});

test("a correspondence drops its oldest matches beyond the limit", () => {
  const correspondence = new Correspondence(10);
  const place = { step: 0, pointer: "" };
  for (const name of ["aaa", "bbb", "ccc"]) correspondence.bind(name, name.toUpperCase(), place);
  expect(correspondence.bind("ddd", "yyy", place)).toBeUndefined();
  expect(correspondence.targetOf("aaa")).toBeUndefined();
  expect(correspondence.targetOf("ddd")).toBe("yyy");
});

import { expect, test } from "vitest";
import { textOf } from "../../foundation/json/members.ts";
import { type Right, rightKey } from "./right.ts";
import { noRights, Rights } from "./rights.ts";

const actAs = (party: string): Right => ({ type: "CanActAs", party });
const partiesOf = (rights: Rights) => rights.values().map((right) => ("party" in right ? right.party : right.type));

const written = (read: (text: string) => void = () => undefined) =>
  new Rights(["bob", "", "alice", "bob"], (party) => {
    read(textOf(party));
    return party === "" ? undefined : actAs(textOf(party));
  });

test("are the written rights in their order, without invalid ones", () => {
  expect([...written()]).toEqual([
    ["CanActAs bob", actAs("bob")],
    ["CanActAs alice", actAs("alice")],
  ]);
  expect(written().size).toBe(2);
  expect(written().has("CanActAs alice")).toBe(true);
  expect(written().has("CanActAs carol")).toBe(false);
});

test("reads the written rights once, on first access", () => {
  const read: string[] = [];
  const requested = written((party) => read.push(party));
  expect(read).toEqual([]);
  expect(requested.has("CanActAs alice") && requested.has("CanActAs bob")).toBe(true);
  expect(read).toHaveLength(4);
});

test("keeps the order of grants: a repeated right keeps its place, a revoked one loses it", () => {
  const more = written().with([actAs("carol"), actAs("bob"), actAs("adam")]);
  expect(partiesOf(more)).toEqual(["bob", "alice", "carol", "adam"]);
  const fewer = more.without([actAs("bob"), actAs("nobody"), actAs("adam")]);
  expect(partiesOf(fewer)).toEqual(["alice", "carol"]);
  expect(partiesOf(fewer.with([actAs("bob"), actAs("adam")]))).toEqual(["alice", "carol", "bob", "adam"]);
});

test("a change leaves the set before as it was", () => {
  const before = written();
  before.with([actAs("carol")]);
  before.without([actAs("bob")]);
  expect(partiesOf(before)).toEqual(["bob", "alice"]);
  expect(noRights.with([actAs("carol")]).size).toBe(1);
  expect(noRights.size).toBe(0);
});

test("finds rights by key in the order of grants, and by kind", () => {
  const rights = written().with([{ type: "CanReadAsAnyParty" }]);
  const keys = [actAs("alice"), actAs("carol"), actAs("bob")].map(rightKey);
  expect(rights.among(new Set(keys))).toEqual([actAs("bob"), actAs("alice")]);
  expect(rights.hasSome("CanActAs")).toBe(true);
  expect(rights.hasSome("CanReadAs")).toBe(false);
  expect(noRights.hasSome("CanActAs")).toBe(false);
});

test("agrees with a map after many changes", () => {
  let rights = noRights;
  const expected = new Map<string, Right>();
  for (let step = 0; step < 2000; step += 1) {
    const right = actAs(`party-${(step * 7919) % 301}`);
    const isGranted = step % 3 !== 0;
    rights = isGranted ? rights.with([right]) : rights.without([right]);
    if (!isGranted) expected.delete(rightKey(right));
    else if (!expected.has(rightKey(right))) expected.set(rightKey(right), right);
  }
  expect(expected.size).toBeGreaterThan(100);
  expect([...rights]).toEqual([...expected]);
});

import { expect, test } from "vitest";
import { LazyRights } from "./lazy-rights.ts";

const rights = (read: (text: string) => void = () => undefined) =>
  new LazyRights(["alice", "", "bob", "alice"], (party) => {
    read(party);
    return party === "" ? undefined : { type: "CanActAs", party };
  });

test("is the map of the written rights, without invalid ones", () => {
  const expected = new Map([
    ["CanActAs alice", { type: "CanActAs", party: "alice" }],
    ["CanActAs bob", { type: "CanActAs", party: "bob" }],
  ]);
  const visited: unknown[] = [];
  rights().forEach((right, key) => {
    visited.push([key, right]);
  });
  expect(new Map(rights())).toEqual(expected);
  expect(visited).toEqual([...expected]);
  expect([...rights().entries()]).toEqual([...expected]);
  expect([...rights().keys()]).toEqual([...expected.keys()]);
  expect([...rights().values()]).toEqual([...expected.values()]);
  expect(rights().size).toBe(2);
  expect(rights().has("CanActAs bob")).toBe(true);
  expect(rights().get("CanActAs carol")).toBeUndefined();
});

test("reads the written rights once, on first access", () => {
  const read: string[] = [];
  const requested = rights((party) => read.push(party));
  expect(read).toEqual([]);
  expect(requested.has("CanActAs alice") && requested.has("CanActAs bob")).toBe(true);
  expect(read).toHaveLength(4);
});

import { expect, test } from "vitest";
import { type NamePair, NamePairs } from "./name-pairs.ts";

const name = (text: string, space = "user") => ({ type: "name", space, text }) as const;
const pair = (recorded: string, live: string, space?: string): NamePair => [name(recorded, space), name(live, space)];

test("names stand for each other one for one, each kind for itself", () => {
  const names = new NamePairs();
  expect(names.canBind([pair("a", "x"), pair("b", "x")])).toBe(false);
  expect(names.canBind([pair("a", "x"), pair("a", "y")])).toBe(false);
  expect(names.canBind([pair("a", "x"), pair("a", "x"), pair("a", "y", "id")])).toBe(true);
  names.bind([pair("a", "x")]);
  expect(names.canBind([pair("a", "y")])).toBe(false);
  expect(names.canBind([pair("b", "x")])).toBe(false);
  expect(names.canBind([pair("b", "y"), pair("a", "x")])).toBe(true);
  expect([names.liveText(name("a")), names.recordedText(name("x")), names.liveText(name("a", "id"))]).toEqual([
    "x",
    "a",
    "a",
  ]);
});

test("a name in a response stands for itself unless it is bound already", () => {
  const names = new NamePairs();
  names.bind([pair("a", "b")]);
  names.show([name("b"), name("c")]);
  expect(names.canBind([pair("b", "b")])).toBe(false);
  expect(names.canBind([pair("c", "d")])).toBe(false);
  expect(names.clashes([pair("c", "d")])).toEqual(["c stands for itself"]);
});

const fingerprint = "a".repeat(68);
const parts = [name("party-1", "id"), { type: "text", text: "::" }, name(fingerprint, "")] as const;

test("a pseudonym in a response stands for itself, and leaves its recorded name free for an own name", () => {
  const names = new NamePairs();
  names.show(parts);
  expect(names.canBind([pair("party-2", "party-1", "id")])).toBe(false);
  expect(names.canBind([pair("party-1", "party-1", "id"), pair(fingerprint, fingerprint, "")])).toBe(true);
  names.bind([pair("party-1", "alice", "id"), pair(fingerprint, "b".repeat(68), "")]);
  expect(names.canBind([pair("party-1", "alice", "id"), pair("party-1", "party-1", "id")])).toBe(true);
  expect(names.canBind([pair("party-1", "bob", "id")])).toBe(false);
  expect(parts.map((part) => names.liveText(part)).join("")).toBe(`alice::${"b".repeat(68)}`);
});

test("a name of many characters is recognized, and not rewritten", () => {
  const names = new NamePairs();
  const [recorded, live] = ["r".repeat(5000), "l".repeat(5000)];
  names.bind([pair(recorded, live, "")]);
  expect(names.canBind([pair(recorded, `${live}x`, "")])).toBe(false);
  expect(names.canBind([pair(recorded, live, "")])).toBe(true);
  expect(names.isBound(names.recordedHash(name(live, "")) ?? 0)).toBe(true);
  expect(names.liveText(name(recorded, ""))).toBe(recorded);
  expect(names.clashes([pair(recorded, "other", "")])[0]).toBe(`another stands for ${"r".repeat(80)}…`);
});

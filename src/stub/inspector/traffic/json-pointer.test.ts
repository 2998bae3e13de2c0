import { expect, test } from "vitest";
import { deepestPointer, pointersAbove, pointerTo } from "./json-pointer.ts";

const value = { users: [{ id: "ursula", "a/b~": 1 }], __proto__: null };

test.each([
  ["/users/0/id", "/users/0/id"],
  ["/users/0/a~1b~0", "/users/0/a~1b~0"],
  ["/users/0/primaryParty", "/users/0"],
  ["/users/1", "/users"],
  ["/users/00/id", "/users"],
  ["/toString", ""],
  ["", ""],
  ["no pointer", ""],
])("pointer %s reaches %s", (pointer, reached) => {
  expect(deepestPointer(value, pointer)).toBe(reached);
});

test("lists the pointers of the enclosing values", () => {
  expect(pointersAbove(pointerTo(pointerTo("/users", 0), "a/b"))).toEqual(["/users", "/users/0"]);
  expect(pointersAbove("/users")).toEqual([]);
});

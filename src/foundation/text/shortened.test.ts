import { expect, test } from "vitest";
import { shortened, withoutMiddle } from "./shortened.ts";

test("cuts a long text between characters", () => {
  expect(shortened("abc", 3)).toBe("abc");
  expect(shortened("abcd", 3)).toBe("abc…");
  expect(shortened("ab😀d", 3)).toBe("ab…");
  expect(shortened("a😀bd", 3)).toBe("a😀…");
});

test("cuts the middle of a long text, not its end", () => {
  expect(withoutMiddle("abcdef", 6)).toBe("abcdef");
  expect(withoutMiddle("abcdefgh", 4)).toBe("ab… (4 characters) …gh");
  expect(withoutMiddle("a😀cde😀h", 4)).toBe("a… (7 characters) …h");
});

import { expect, test } from "vitest";
import { shortened } from "./shortened.ts";

test("cuts a long text between characters", () => {
  expect(shortened("abc", 3)).toBe("abc");
  expect(shortened("abcd", 3)).toBe("abc…");
  expect(shortened("ab😀d", 3)).toBe("ab…");
  expect(shortened("a😀bd", 3)).toBe("a😀…");
});

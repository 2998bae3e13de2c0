import { expect, test } from "vitest";
import { createProgress } from "./progress.ts";

/** The output of a progress line for texts at these times. */
function written(
  isTTY: boolean,
  texts: readonly (readonly [number, string])[],
  columns: number = 10,
): readonly string[] {
  const out: string[] = [];
  let now = 0;
  const progress = createProgress({ isTTY, columns, write: (text) => out.push(text) }, () => now);
  for (const [at, text] of texts) {
    now = at;
    progress.show(text);
  }
  progress.erase();
  progress.erase();
  return out;
}

test("replaces the line at most ten times a second, cuts it to the width of the terminal, and erases the last one once", () => {
  const texts = [
    [0, "one"],
    [99, "two"],
    [100, "three is \u001b[31mlong"],
  ] as const;
  expect(written(true, texts)).toEqual(["\r\u001b[2Kone", "\r\u001b[2Kthree is ", "\r\u001b[2K"]);
});

test("shows nothing on a stream that is not a terminal", () => {
  expect(written(false, [[0, "one"]])).toEqual([]);
});

test("assumes eighty columns for a terminal of unknown width", () => {
  expect(written(true, [[0, "x".repeat(100)]], 0)).toEqual([`\r\u001b[2K${"x".repeat(79)}`, "\r\u001b[2K"]);
});

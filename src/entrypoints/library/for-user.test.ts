import { expect, test } from "vitest";
import { linesIn } from "./for-user.ts";

test.each([
  ["file:///home/a%20b/dist/", "    at f (file:///home/a%20b/dist/bundle/index.js:1:2)"],
  ["file:///home/a%20b/dist/", "    at f (/home/a b/dist/bundle/index.js:1:2)"],
  ["file:///C:/a%20b/dist/", "    at f (file:///C:/a%20b/dist/bundle/index.js:1:2)"],
  ["file:///C:/a%20b/dist/", "    at f (C:\\a b\\dist\\bundle\\index.js:1:2)"],
  ["file:///C:/a%20b/dist/", "    at f (C:/a b/dist/bundle/index.js:1:2)"],
])("finds the lines of a stack that are in %s: %s", (folder, line) => {
  const isInside = linesIn(new URL(folder));
  expect(isInside(line)).toBe(true);
  expect(isInside(line.replace("dist", "test"))).toBe(false);
});

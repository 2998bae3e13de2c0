import { expect, test } from "vitest";
import { pathBeginnings } from "./path-beginnings.ts";

test("gives the first places at which the path of an API may begin", () => {
  expect(pathBeginnings("/a/v2/b/v2/users", /\/v2\//g)).toEqual([2, 7]);
  expect(pathBeginnings("/a", /\/v2\//g)).toEqual([]);
});

test("gives a bounded number of places, so that a long path takes linear time", () => {
  expect(pathBeginnings("/v2/a".repeat(1000), /\/v2\//g)).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40, 45]);
});

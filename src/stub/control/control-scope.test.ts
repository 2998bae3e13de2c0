import { expect, test } from "vitest";
import { includesScope, neededScope } from "./control-scope.ts";

test.each([
  ["GET", "worlds", "read"],
  ["GET", "worlds/default/journal", "read"],
  ["GET", "worlds/default/traffic/1", "read"],
  ["HEAD", "worlds", "read"],
  ["GET", "", "read"],
  ["GET", "events", "read"],
  ["GET", "worlds/default/access", "drive"],
  ["GET", "worlds/default/archive", "drive"],
  ["POST", "worlds/default/fork", "drive"],
  ["POST", "worlds/default/clock/advance", "drive"],
  ["DELETE", "worlds/fork-1", "drive"],
  ["PUT", "worlds/default", "drive"],
  ["GET", "tokens", "administer"],
  ["GET", "tokens/", "administer"],
  ["POST", "tokens", "administer"],
  ["DELETE", "tokens/ci", "administer"],
])("%s %s needs the scope %s", (method, path, expected) => {
  expect(neededScope({ method }, path)).toBe(expected);
});

test("each scope includes those before it", () => {
  const scopes = ["read", "drive", "administer"] as const;
  const included = scopes.map((scope) => scopes.filter((needed) => includesScope(scope, needed)));
  expect(included).toEqual([["read"], ["read", "drive"], ["read", "drive", "administer"]]);
});

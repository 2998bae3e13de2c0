import { expect, test } from "vitest";
import { routeOf } from "./route-of.ts";
import { loadSpec } from "./spec.ts";

const spec = loadSpec({ ledger: "spec", registry: "spec" });
const factory = "/registry/transfer-instruction/v2/transfer-factory";

test.each([
  ["GET", "/v2/users?pageSize=1", "getV2Users", 0],
  ["GET", "http://h/v2/users", "getV2Users", 8],
  ["GET", "https://h/a/v2/b/v2/users?x=/v2/c", "getV2Users", 16],
  ["POST", `/splice${factory}`, "getTransferFactory", 7],
  ["POST", `/v2/x${factory}`, "getTransferFactory", 5],
  ["GET", "/v2", undefined, undefined],
  ["GET", "http://h?/v2/users", undefined, undefined],
])("the route of %s %s", (method, target, operationId, from) => {
  const route = routeOf(spec, { method, target });
  expect([route?.operation.operationId, route?.from]).toEqual([operationId, from]);
});

test("tries a bounded number of beginnings, so that a long path takes linear time", () => {
  const tried: string[] = [];
  const route = (_method: string, path: string) => {
    tried.push(path);
    return { type: "unknown" } as const;
  };
  routeOf({ route }, { method: "GET", target: "/v2/a".repeat(1000) });
  expect(tried).toHaveLength(11);
});

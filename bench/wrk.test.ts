import { expect, test } from "vitest";
import { packRequests, parseResult } from "./wrk.ts";

test("reads requests a second off the script's line, among what wrk prints", () => {
  const output = `Running 2s test @ http://127.0.0.1:1
  1 threads and 32 connections
Requests/sec:  20000.00
result {"requests":41000,"micros":2050000,"failed":4}
`;
  expect(parseResult(output)).toEqual({ requests: 41_000, perSecond: 20_000, failed: 4 });
});

test("an output without the line is no result", () => {
  expect(() => parseResult("unable to connect")).toThrow("the load gave no result: unable to connect");
  expect(() => parseResult('result {"requests":1}')).toThrow("the load gave no numbers");
});

test("packs requests behind the number of their bytes", () => {
  expect(packRequests(["GET /é", "B"])).toBe("7\nGET /é1\nB");
});

import { expect, test } from "vitest";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import { textResponse } from "../../foundation/http/response.ts";
import { durationClassesMs, HostingCounts } from "./hosting-counts.ts";

const response = textResponse(200, undefined, "");
const broken: FailedResponse = { type: "broken", kind: "reset" };

test("counts requests by operation and status, also without an operation or a response", () => {
  const counts = new HostingCounts();
  counts.add({ operationId: "getV2Users", response, durationMs: 3 });
  counts.add({ operationId: "getV2Users", response, durationMs: 4 });
  counts.add({ operationId: "getV2Users", response: broken, durationMs: 0 });
  counts.add({ operationId: undefined, response: textResponse(404, undefined, ""), durationMs: 0 });
  const found = [...counts.operations].map(([id, { statuses, durationMs }]) => [id, [...statuses], durationMs]);
  expect(found).toEqual([
    [
      "getV2Users",
      [
        [200, 2],
        [0, 1],
      ],
      7,
    ],
    [undefined, [[404, 1]], 0],
  ]);
});

test.each([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 2],
  [10_000, 12],
  [10_001, 13],
])("a duration of %i ms is in class %i, whose upper end belongs to it", (durationMs, index) => {
  const counts = new HostingCounts();
  counts.add({ operationId: undefined, response, durationMs });
  const durations = counts.operations.get(undefined)?.durations ?? [];
  expect([durations.indexOf(1), durations.length]).toEqual([index, durationClassesMs.length + 1]);
});

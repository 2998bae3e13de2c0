import { expect, test } from "vitest";
import type { TrafficLine } from "../parts/control-api.ts";
import { facetsWith, filteredLines, noFacets, noFilter, type TrafficFilter } from "./traffic-filter.ts";

const line = (number: number, given: Partial<TrafficLine>): TrafficLine => ({
  number,
  startedAt: "2026-05-01T10:00:00.000Z",
  virtualAt: "2026-01-01T00:00:00.000Z",
  durationMs: 1,
  method: "GET",
  target: "/v2/users",
  operationId: "getV2Users",
  status: 200,
  broken: null,
  outcome: "PASS",
  rules: [],
  clientRules: [],
  changes: 0,
  unexpected: null,
  reason: null,
  ...given,
});
const lines = [
  line(1, {}),
  line(2, {
    method: "POST",
    operationId: "postV2Users",
    status: 400,
    outcome: "FAIL",
    rules: [{ rule: "media-type", outcome: "FAIL" }],
  }),
  line(3, { target: "/v2/Other", operationId: null, status: 404, outcome: "UNSUPPORTED" }),
  line(4, {
    status: null,
    broken: "reset",
    outcome: "WARN",
    rules: ["media-type", "complete-response"].map((rule) => ({ rule, outcome: "WARN" as const })),
  }),
  line(5, { clientRules: [{ rule: "token-in-header", severity: "error" }] }),
];

test.each<[Partial<TrafficFilter>, number[]]>([
  [{}, [1, 2, 3, 4, 5]],
  [{ text: "  " }, [1, 2, 3, 4, 5]],
  [{ problems: "only" }, [5]],
  [{ rule: "token-in-header" }, [5]],
  [{ operation: "getV2Users" }, [1, 4, 5]],
  [{ operation: "unsupported" }, [3]],
  [{ status: "4xx" }, [2, 3]],
  [{ status: "404" }, [3]],
  [{ status: "broken" }, [4]],
  [{ outcome: "FAIL" }, [2]],
  [{ rule: "media-type" }, [2, 4]],
  [{ text: "post /V2" }, [2]],
  [{ text: "other" }, [3]],
  [{ status: "4xx", outcome: "FAIL", rule: "complete-response" }, []],
])("filter %o shows exchanges %j", (filter, numbers) => {
  expect(
    filteredLines(lines, { ...noFilter, ...filter }, { isStub: true, areBothShown: false }).map(({ number }) => number),
  ).toEqual(numbers);
});

test("facets are the sorted values of the traffic, and stay identical without new values", () => {
  const facets = facetsWith(noFacets, lines);
  expect(facets).toEqual({
    operations: ["getV2Users", "postV2Users"],
    statuses: ["200", "400", "404"],
    rules: ["complete-response", "media-type", "token-in-header"],
  });
  expect(facetsWith(facets, lines)).toBe(facets);
  expect(facetsWith(facets, [line(5, { status: 409 })]).statuses).toEqual(["200", "400", "404", "409"]);
});

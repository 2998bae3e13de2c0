import { expect, test } from "vitest";
import type { ConductWatch } from "../../checker/client-rules/client-finding.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { textResponse } from "../../foundation/http/response.ts";
import { WorldConduct } from "./world-client-rules.ts";

const nothing = { findings: [], dropped: 0, faults: [] };

function exchangeTo(target: string): Exchange {
  const request = { method: "GET", target, headers: [], body: new Uint8Array() };
  return { startedAt: "", durationMs: 0, request, answer: textResponse(200, undefined, "") };
}

/** What was judged, by the targets, and what waits to be run. */
function watched() {
  const judged: string[][] = [];
  const due: (() => void)[] = [];
  const create = (): ConductWatch => {
    const targets: string[] = [];
    judged.push(targets);
    return {
      add: ({ request }) => targets.push(request.target),
      report: () => ({ ...nothing, dropped: targets.length }),
    };
  };
  const conduct = new WorldConduct(create, (run) => due.push(run));
  return { conduct, judged, due };
}

test("judges later, what came meanwhile in its order and at once", () => {
  const { conduct, judged, due } = watched();
  for (const target of ["/a", "/b"]) conduct.add(exchangeTo(target), {});
  expect([judged, due.length]).toEqual([[], 1]);
  due[0]?.();
  expect(judged).toEqual([["/a", "/b"]]);
  conduct.add(exchangeTo("/c"), {});
  due[1]?.();
  expect([judged, due.length]).toEqual([[["/a", "/b", "/c"]], 2]);
});

test("judges before it reports, and not again", () => {
  const { conduct, judged, due } = watched();
  expect(conduct.report()).toEqual(nothing);
  conduct.add(exchangeTo("/a"), {});
  expect(conduct.report().dropped).toBe(1);
  due[0]?.();
  expect(judged).toEqual([["/a"]]);
});

test("judges what waits before it begins anew", () => {
  const { conduct, judged, due } = watched();
  conduct.add(exchangeTo("/a"), {});
  conduct.clear();
  due[0]?.();
  expect([judged, conduct.report()]).toEqual([[["/a"]], nothing]);
});

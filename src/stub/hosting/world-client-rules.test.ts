import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_exchange.ts";
import type { ClientRulesWatch } from "../../checker/client-rules/client-finding.ts";
import { WorldClientRules } from "./world-client-rules.ts";

const nothing = { findings: [], dropped: 0, faults: [] };

const exchangeTo = (target: string) => exchangeOf({ target });

/** Checked targets per watch, and the scheduled runs. */
function watched() {
  const checked: string[][] = [];
  const due: (() => void)[] = [];
  const create = (): ClientRulesWatch => {
    const targets: string[] = [];
    checked.push(targets);
    return {
      add: ({ request }) => targets.push(request.target),
      report: () => ({ ...nothing, dropped: targets.length }),
    };
  };
  const clientRules = new WorldClientRules(create, (run) => due.push(run));
  return { clientRules, checked, due };
}

test("checks waiting exchanges later, in order and in one run", () => {
  const { clientRules, checked, due } = watched();
  for (const target of ["/a", "/b"]) clientRules.add(exchangeTo(target), {});
  expect([checked, due.length]).toEqual([[], 1]);
  due[0]?.();
  expect(checked).toEqual([["/a", "/b"]]);
  clientRules.add(exchangeTo("/c"), {});
  due[1]?.();
  expect([checked, due.length]).toEqual([[["/a", "/b", "/c"]], 2]);
});

test("checks waiting exchanges before a report, once", () => {
  const { clientRules, checked, due } = watched();
  expect(clientRules.report()).toEqual(nothing);
  clientRules.add(exchangeTo("/a"), {});
  expect(clientRules.report().dropped).toBe(1);
  due[0]?.();
  expect(checked).toEqual([["/a"]]);
});

test("checks waiting exchanges before it is cleared", () => {
  const { clientRules, checked, due } = watched();
  clientRules.add(exchangeTo("/a"), {});
  clientRules.clear();
  due[0]?.();
  expect([checked, clientRules.report()]).toEqual([[["/a"]], nothing]);
});

import { expect, test } from "vitest";
import { inconclusiveRuns } from "./inconclusive-run.ts";
import type { Need } from "./target.ts";

const probe = (id: string, needs: readonly Need[], reaches: readonly string[] = []) => ({
  id,
  summary: "",
  section: "5",
  safety: "safe" as const,
  needs,
  reaches,
  run: async () => undefined,
});
const probes = [
  probe("users", ["ledger", "administratorToken"]),
  probe("nobody", ["ledger"], ["grant 404"]),
  probe("lookup", ["registry"]),
];
const ran = (id: string, ...reached: readonly string[]) =>
  ({ id, summary: "", safety: "safe", outcome: "ran", why: undefined, reached }) as const;
const notRun = (id: string, why: string) =>
  ({ id, summary: "", safety: "safe", outcome: "not-run", why, reached: [] }) as const;
const both = { apis: new Set(["ledger", "registry"] as const), probes };

test("an API of which a probe met more than a refusal that anybody gives is checked", () => {
  expect(inconclusiveRuns([ran("users", "list 404", "list 400"), ran("lookup", "find 200")], both)).toEqual([]);
});

test("an API of which no probe ran is not checked, for the reasons of its probes", () => {
  const reports = [notRun("users", "needs a token"), notRun("nobody", "interrupted"), ran("lookup", "find 200")];
  expect(inconclusiveRuns(reports, both)).toEqual([
    { what: "the ledger", why: "no probe of it ran: needs a token; interrupted" },
  ]);
});

test("an API that returns nothing but 404 and 502 is not checked, unless that was hoped for", () => {
  expect(inconclusiveRuns([ran("users", "list 404", "list 502"), notRun("nobody", "")], both)).toEqual([
    { what: "the ledger", why: "it returned nothing but 404, 502; check its base URL" },
  ]);
  expect(inconclusiveRuns([ran("nobody", "grant 404")], both)).toEqual([]);
});

test("an API of which no probe was chosen was not asked for, and one that broke off is a finding", () => {
  expect(inconclusiveRuns([ran("users")], both)).toEqual([]);
});

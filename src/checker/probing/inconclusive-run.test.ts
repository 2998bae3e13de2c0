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
  probe("unknown-user", ["ledger"], ["grant 404"]),
  probe("lookup", ["registry"]),
];
const run = (id: string, ...reached: readonly string[]) =>
  ({ id, summary: "", safety: "safe", outcome: "run", reason: undefined, reached }) as const;
const skipped = (id: string, reason: string) =>
  ({ id, summary: "", safety: "safe", outcome: "skipped", reason, reached: [] }) as const;
const both = { apis: new Set(["ledger", "registry"] as const), probes };

test("an API is conclusive if a probe received more than a generic refusal", () => {
  expect(inconclusiveRuns([run("users", "list 404", "list 400"), run("lookup", "find 200")], both)).toEqual([]);
});

test("an API is inconclusive if all its probes were skipped, with their reasons", () => {
  const reports = [
    skipped("users", "needs a token"),
    skipped("unknown-user", "interrupted"),
    run("lookup", "find 200"),
  ];
  expect(inconclusiveRuns(reports, both)).toEqual([
    { subject: "the ledger", reason: "all its probes were skipped: needs a token; interrupted" },
  ]);
});

test("an API that returns only 404 and 502 is inconclusive, unless a probe intends that status", () => {
  expect(inconclusiveRuns([run("users", "list 404", "list 502"), skipped("unknown-user", "")], both)).toEqual([
    { subject: "the ledger", reason: "it returned only 404, 502. Check its base URL" },
  ]);
  expect(inconclusiveRuns([run("unknown-user", "grant 404")], both)).toEqual([]);
});

test("an API without chosen probes is omitted, and incomplete responses are findings", () => {
  expect(inconclusiveRuns([run("users")], both)).toEqual([]);
});

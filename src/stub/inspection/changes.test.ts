import { expect, test } from "vitest";
import { loadScenario } from "../../scenarios/files/load-scenario.ts";
import { changesBetween } from "./changes.ts";

const files = {
  ledger: "participantId: p::1220ab\nusers: [{ id: alice }]\nsynchronizers: [{ alias: main, id: 'main::1220ab' }]\n",
};

test("marks a row as changed only if one of its cells differs", () => {
  const result = loadScenario(
    "ledger",
    { read: () => files.ledger, resolve: (_from, name) => name },
    { profile: "canton-3.5" },
  );
  if (result.type === "invalid") throw new Error(JSON.stringify(result.problems));
  const before = result.scenario.initial;
  const alice = before.ledger.users.get("alice");
  if (alice === undefined) throw new Error("no user");
  const changesTo = (user: typeof alice) =>
    changesBetween(before, {
      ...before,
      ledger: { ...before.ledger, users: before.ledger.users.with("alice", user, true) },
    });
  expect(changesTo({ ...alice })).toEqual([]);
  expect(changesTo({ ...alice, resourceVersion: "1" })).toEqual([{ table: "users", id: "alice", change: "changed" }]);
});

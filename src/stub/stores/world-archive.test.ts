import { expect, test } from "vitest";
import { scenarioOf } from "../../../test/_scenario.ts";
import { storedValue } from "./stored-value.ts";
import { archivedWorld, archiveOf } from "./world-archive.ts";

const start = scenarioOf("two-participants").initial;
const state = { ...start, nowMs: start.nowMs + 1000, counter: 3 };
const archive = archiveOf({ id: "fork-1", labels: ["team"], start, state }, "two-participants", "2026-01-01T00:00:00Z");

test("an archive gives the same world", () => {
  const found = archivedWorld(archive);
  expect(typeof found === "string" ? found : JSON.stringify(storedValue(found))).toBe(
    JSON.stringify(storedValue({ id: "fork-1", labels: ["team"], start, state })),
  );
});

test.each([
  ["a text of another kind", "{}", "The body is not the archive of a world."],
  ["an archive that was cut", archive.slice(0, -40), "The archive is damaged: its digest does not match."],
  ["an archive of a newer format", archive.replace('"format":1', '"format":2'), "The archive has format 2"],
  [
    "a changed value",
    archive.replace('"counter":3', '"counter":4').replace("alice", "malice"),
    "The archive is damaged",
  ],
])("%s is refused", (_, text, problem) => {
  expect(archivedWorld(text)).toContain(problem);
});

import { expect, test } from "vitest";
import { controlled, hostingOf, scenarioFiles, scenarioOf, stepsOf } from "../../../test/_scenario.ts";
import { sha256OfText } from "../../foundation/crypto/sha256.ts";
import { storedValue } from "./stored-value.ts";
import { archivedWorld, archiveOf } from "./world-archive.ts";

const start = scenarioOf("two-participants").initial;
const state = { ...start, nowMs: start.nowMs + 1000, counter: 3 };
const archive = archiveOf({ id: "fork-1", labels: ["team"], start, state }, "two-participants", "2026-01-01T00:00:00Z");

/** An archive of entries, with the right digest. */
function sealed(...lines: readonly string[]): string {
  const content = lines.join("\n");
  return `{"understudy":"world","format":1,"id":"x","labels":[],"digest":"${sha256OfText(content)}"}\n${content}\n`;
}

const lines = archive.trimEnd().split("\n").slice(1);

test("an archive gives the same world", async () => {
  const found = await archivedWorld(archive);
  expect(typeof found === "string" ? found : JSON.stringify(storedValue(found))).toBe(
    JSON.stringify(storedValue({ id: "fork-1", labels: ["team"], start, state, sources: [{ bytes: archive.length }] })),
  );
});

test.each(scenarioFiles)("the world of %s is imported after its steps", async (file) => {
  const scenario = scenarioOf(file);
  const hosting = hostingOf(scenario);
  await stepsOf(scenario, controlled(hosting));
  const world = hosting.worlds.get("default")?.world.whole ?? scenario.initial;
  const text = archiveOf({ id: "a", labels: [], start: scenario.initial, state: world }, file, "2026-01-01T00:00:00Z");
  expect(await archivedWorld(text)).toMatchObject({ id: "a" });
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
  [
    "a value that is nested too deep",
    sealed(...lines, `{"changes":[[["registry"],${"[".repeat(1000)}${"]".repeat(1000)}]]}`),
    "The archive exceeds a limit of archives: nestingMax is 1000.",
  ],
  [
    "a path that is too long",
    sealed(...lines, JSON.stringify({ changes: [[Array.from({ length: 65 }, () => "a"), 1]] })),
    "The archive is not readable: the entries of a stored change are not readable.",
  ],
  [
    "an archive of too many values",
    sealed(...lines, `{"changes":[[["registry"],[${"0,".repeat(100_000)}0]]]}`),
    "The archive exceeds a limit of archives: jsonValuesMax is 100000.",
  ],
  [
    "a long number",
    sealed(...lines, `{"changes":[[["nowMs"],${"1".repeat(1001)}]]}`),
    "The archive exceeds a limit of archives: numberLengthMax is 1000.",
  ],
  [
    "a long integer in a text",
    sealed(...lines, `{"changes":[[["ledger","ledgerEnd"],{"$bigint":"${"1".repeat(1001)}"}]]}`),
    "The archive is not readable: a stored value is not readable: $bigint.",
  ],
  [
    "a row of another shape",
    sealed(...lines, '{"changes":[[["ledger","users","alice","annotations"],5]]}'),
    "The archive is not readable: its state must be object at /ledger/users/$table/0/1/annotations. Export the world again",
  ],
  [
    "a row under another key",
    sealed(...lines, '{"changes":[[["ledger","users","alice","id"],"bob"]]}'),
    "The archive is not readable: users has a row under another key than its own. Export the world again",
  ],
  ["a world without a ledger", sealed('{"start":[[[],{"registry":{}}]]}'), "its start must have required property"],
])("%s is refused", async (_, text, problem) => {
  expect(await archivedWorld(text)).toContain(problem);
});

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { harEntry } from "../_har.ts";
import { folderOf, running, temporaryFolder, understudy } from "./_command-line.ts";

const users = { mimeType: "application/json", text: '{"users":[],"nextPageToken":""}' };
const entry = (path: string, content: object = users, responseHeaders: Readonly<Record<string, string>> = {}) =>
  harEntry(`http://node:7575${path}`, { responseHeaders, content });

/** A small entry whose body decodes to more than a thousand times its size. */
const bomb = entry(
  "/v2/users?pageSize=2",
  { encoding: "base64", text: gzipSync(Buffer.alloc(2 * 1024 * 1024, "a")).toString("base64") },
  { "Content-Encoding": "gzip" },
);

/** A folder with a recording; its second entry exceeds a limit. */
function folderWithBomb(): string {
  return folderOf({
    "in.har": JSON.stringify({ log: { entries: [entry("/v2/users"), bomb, entry("/v2/users?pageSize=3")] } }),
  });
}

const skipped =
  /^in\.har: entry 2, at line 1, byte \d+, cannot be read: a body exceeds the compression ratio of 250 to 1 \(compressionRatioMax\)\./m;

test("check reports an entry that exceeds a limit, and checks the others", async () => {
  const { exitCode, out, error } = await understudy(["check", "in.har"], { folder: folderWithBomb() });
  expect(exitCode).toBe(2);
  expect(error).toMatch(skipped);
  expect(out).toContain("2 exchanges: 2 passed");
});

test("check lists ten entries that exceed a limit, and counts them all", async () => {
  const folder = folderOf({ "in.har": JSON.stringify([...new Array(12).fill(bomb), entry("/v2/users")]) });
  const { exitCode, error } = await understudy(["check", "in.har"], { folder });
  expect(exitCode).toBe(2);
  expect(error.match(/ cannot be read: /g)).toHaveLength(10);
  expect(error).toContain("in.har: 12 entries cannot be read; the first 10 are listed.");
});

test.each([
  ["redact", ["redact", "in.har", "--out", "out.har"]],
  ["import", ["import", "in.har", "--out", "."]],
])("%s refuses a recording with an entry that exceeds a limit, and writes nothing", async (_name, words) => {
  const folder = folderWithBomb();
  const { exitCode, error } = await understudy(words, { folder });
  expect(exitCode).toBe(2);
  expect(error).toMatch(skipped);
  expect(error).toContain("Remove this entry.");
  expect(readdirSync(folder)).toEqual(["in.har"]);
});

test("replay serves the other entries of a recording", async () => {
  const folder = folderWithBomb();
  const replay = await running(["replay", "in.har", "--port", "0"], { folder });
  expect(replay.ready).toContain("2 exchanges");
  expect((await fetch(`${replay.url}/v2/users?pageSize=3`)).status).toBe(200);
  replay.stop();
  const { exitCode, error } = await replay.ended();
  expect(error).toMatch(skipped);
  expect(error).toContain("The other entries are served.");
  expect(exitCode).toBe(0);
});

test("import shortens the lines that quote long values", async () => {
  const folder = temporaryFolder();
  const users = { mimeType: "application/json", text: JSON.stringify({ users: [{ id: "a".repeat(50_000) }] }) };
  writeFileSync(join(folder, "in.har"), JSON.stringify([entry("/v2/users", users)]));
  const { exitCode, out, error } = await understudy(["import", "in.har"], { folder });
  expect([exitCode, error.startsWith("in.har cannot be played by one world:")]).toEqual([2, true]);
  expect(out.length + error.length).toBeLessThan(5000);
});

test("import omits a criterion for a media type that is too long for a pattern", async () => {
  const folder = temporaryFolder();
  const mediaType = { "Content-Type": "a".repeat(10_000) };
  writeFileSync(join(folder, "in.har"), JSON.stringify([entry("/v2/users", users, mediaType)]));
  expect(await understudy(["import", "in.har"], { folder })).toMatchObject({ exitCode: 0, error: "" });
  expect(readFileSync(join(folder, "in.arazzo.yaml"), "utf8")).not.toMatch(/condition: \^aaa/);
});

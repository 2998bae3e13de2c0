import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderOf, temporaryFolder, understudy } from "./_command-line.ts";

const alice = `alice::1220${"a".repeat(64)}`;
const jwt = `${btoa('{"alg":"HS256"}')}.${btoa('{"sub":"x"}').replace(/=+$/, "")}.c2ln`;

/** An entry as a browser's developer tools export it. */
const entry = (text: string, more: object = {}) => ({
  startedDateTime: "2026-01-01T00:00:00.000Z",
  time: 1,
  request: {
    method: "GET",
    url: `https://node.example/v2/parties/${encodeURIComponent(alice)}`,
    headers: [
      { name: ":authority", value: "node.example" },
      { name: "authorization", value: `Bearer ${jwt}` },
    ],
    cookies: [{ name: "session", value: "s3cr3t-cookie" }],
  },
  response: { status: 200, headers: [], content: { mimeType: "application/json", text } },
  ...more,
});
const harOf = (...entries: readonly object[]) => JSON.stringify({ log: { version: "1.2", entries } }, undefined, 2);

test("redacts a HAR from a browser: valid, one entry per line, without secrets and ids", async () => {
  const folder = folderOf({ "in.har": harOf(entry(JSON.stringify({ party: alice })), entry("{}")) });
  const ran = await understudy(["redact", "in.har", "--out", "out.har", "--names", "names.json"], { folder });
  expect(ran).toMatchObject({ exitCode: 0, error: "" });
  expect(ran.out).toBe("out.har: 2 exchanges; renamed: 1 cookie, 1 fingerprint, 1 party, 1 token\n");
  const text = readFileSync(join(folder, "out.har"), "utf8");
  expect(text).not.toMatch(/alice|a{64}|eyJ|s3cr3t/);
  expect(
    text
      .split("\n")
      .slice(1, 3)
      .map((line) => JSON.parse(line.replace(/,$/, "")).request.headers[0].value),
  ).toEqual(["Bearer token-1", "Bearer token-1"]);
  expect(JSON.parse(text).log.entries[0].response.content.text).toMatch(/^\{"party":"party-1::1220/);
  expect((await understudy(["check", "out.har"], { folder })).exitCode).toBe(5);
  expect(readFileSync(join(folder, "names.json"), "utf8")).toContain(
    '{"kind":"party","original":"alice","name":"party-1"}',
  );
  expect(statSync(join(folder, "names.json")).mode & 0o077).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(["in.har", "names.json", "out.har"]);
  const again = await understudy(["redact", "out.har", "--out", "again.har", "--names", "names.json"], { folder });
  expect(again.out).toBe("again.har: 2 exchanges; nothing was renamed\n");
  expect(readFileSync(join(folder, "again.har"), "utf8")).toBe(text);
});

test("writes no file if a secret remains, and reports its place", async () => {
  const folder = temporaryFolder();
  const hidden = { x: btoa(`a${btoa(`hidden ${jwt}`)}`), y: `Zm9v.${btoa(`xyz ${jwt} and more`)}` };
  writeFileSync(join(folder, "in.har"), harOf(entry("{}"), entry(JSON.stringify(hidden), { startedDateTime: jwt })));
  const ran = await understudy(["redact", "in.har", "--out", "out.har", "--names", "n.json"], { folder });
  expect(ran.exitCode).toBe(1);
  expect(ran.out).toContain("entry 1, /startedDateTime: a JWT remains\n");
  expect(ran.out).toContain("out.har is not written.");
  expect(ran.out).not.toContain("eyJ");
  expect(readdirSync(folder)).toEqual(["in.har"]);
  const json = await understudy(["redact", "in.har", "--out", "out.har", "--json"], { folder });
  expect(JSON.parse(json.out.split("\n")[0] ?? "")).toEqual({
    event: "leak",
    entry: 1,
    kind: "jwt",
    pointer: "/startedDateTime",
    within: "",
  });
});

test("the flags keep ids, pseudonymize users and redact a secret from the environment", async () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, "in.har"),
    harOf(entry(JSON.stringify({ userId: "bob", party: alice, note: "it is swordfish" }))),
  );
  const bodyOf = async (...words: readonly string[]) => {
    const ran = await understudy(["redact", "in.har", "--out", "out.har", "--force", "--json", ...words], {
      folder,
      variables: { PW: "swordfish" },
    });
    expect(ran).toMatchObject({ exitCode: 0 });
    return JSON.parse(JSON.parse(readFileSync(join(folder, "out.har"), "utf8")).log.entries[0].response.content.text);
  };
  expect(await bodyOf("--keep-ids", "--secret", "PW")).toEqual({ userId: "bob", party: alice, note: "it is secret-1" });
  expect(await bodyOf("--rename-users")).toMatchObject({ userId: "renamed-user-1", note: "it is swordfish" });
});

test.each([
  ["a missing recording", ["redact", "--out", "x.har"], "redact needs a recording"],
  ["a missing --out", ["redact", "in.har"], "redact needs an output file: understudy redact in.har --out FILE"],
  ["the recording itself", ["redact", "in.har", "--out", "in.har"], "in.har is the input"],
  ["an existing output file", ["redact", "in.har", "--out", "torn.har"], "torn.har exists."],
  ["a truncated file", ["redact", "torn.har", "--out", "x.har"], "torn.har: it is truncated after 1 entry"],
  ["a missing file", ["redact", "none.har", "--out", "x.har"], "File not found: none.har."],
  [
    "an invalid names file",
    ["redact", "in.har", "--out", "x.har", "--names", "torn.har"],
    "torn.har is not a names file",
  ],
  [
    "a secret that is not set",
    ["redact", "in.har", "--out", "x.har", "--secret", "NONE"],
    "the environment variable NONE is empty or not set",
  ],
  ["a short secret", ["redact", "in.har", "--out", "x.har", "--secret", "SHORT"], "is shorter than 6 characters"],
])("refuses %s", async (_name, words, problem) => {
  const folder = folderOf({ "in.har": harOf(entry("{}")), "torn.har": harOf(entry("{}"), entry("{}")).slice(0, -30) });
  const ran = await understudy(words, { folder, variables: { SHORT: "abc" } });
  expect(ran).toMatchObject({ exitCode: 2, out: "" });
  expect(ran.error).toContain(problem);
  expect(existsSync(join(folder, "x.har"))).toBe(false);
  expect(readdirSync(folder).sort()).toEqual(["in.har", "torn.har"]);
});

const hexDigits = (letter: string) => letter.repeat(64);

test.each([
  ["a hint", { kind: "party", original: "alice", name: "a::b" }, '"a::b" is not a valid party name'],
  [
    "digits",
    { kind: "contract", original: hexDigits("a"), name: hexDigits("b") },
    "is not a name that redaction gives",
  ],
  ["a token", { kind: "token", original: "sha256:00", name: "alice" }, '"alice" is not a valid name of a secret'],
  ["a user", { kind: "user", original: "bob", name: "a b" }, '"a b" is not a valid user id'],
  ["a request", { kind: "correlation", original: "c", name: "a\\b" }, "is not a valid request id"],
  ["an offset", { kind: "offset", original: "0", name: "-8000000000000" }, "is not a number from 0 to 1000000000000"],
  ["an unknown kind", { kind: "parties", original: "a", name: "b" }, "entry 1 has no known kind"],
  ["a very long name", { kind: "offset", original: "0", name: "9".repeat(10_000) }, `${"9".repeat(1999)}… is`],
  ["two originals", { kind: "party", original: "alice", name: "party-9" }, '"party-9" is the name of entry 0'],
  ["two names", { kind: "party", original: "carol", name: "party-8" }, "is another name for the original of entry 0"],
])("refuses a names file with an invalid entry for %s, and reports the entry", async (_name, invalid, problem) => {
  const folder = folderOf({ "in.har": harOf(entry("{}")) });
  const names = [{ kind: "party", original: "carol", name: "party-9" }, invalid];
  writeFileSync(join(folder, "n.json"), JSON.stringify({ names }));
  const ran = await understudy(["redact", "in.har", "--out", "x.har", "--names", "n.json"], { folder });
  expect(ran).toMatchObject({ exitCode: 2, out: "" });
  expect(ran.error).toContain("n.json: entry 1");
  expect(ran.error).toContain(problem);
  expect(readdirSync(folder).sort()).toEqual(["in.har", "n.json"]);
});

test("--restore writes a private file with the original ids and without secrets", async () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, "in.har"),
    harOf(entry(JSON.stringify({ party: alice, offset: 7, password: "hunter22" }))),
  );
  await understudy(["redact", "in.har", "--out", "out.har", "--names", "n.json"], { folder });
  const words = ["redact", "out.har", "--restore", "--names", "n.json", "--out", "back.har"];
  const ran = await understudy(words, { folder });
  expect(ran).toMatchObject({ exitCode: 0, error: "" });
  expect(ran.out).toBe("back.har: 1 exchange; the original ids are restored. The file is private: do not share it.\n");
  const [back] = JSON.parse(readFileSync(join(folder, "back.har"), "utf8")).log.entries;
  expect(back.request.url).toContain(`/v2/parties/${encodeURIComponent(alice)}`);
  expect(JSON.parse(back.response.content.text)).toEqual({ party: alice, offset: 7, password: "secret-1" });
  expect(statSync(join(folder, "back.har")).mode & 0o077).toBe(0);
});

test.each([
  ["without names", ["--names", "none.json"], "File not found: none.json."],
  ["with a flag for redaction", ["--names", "n.json", "--keep-ids"], "--keep-ids has no effect with --restore."],
])("restores nothing %s", async (_name, words, problem) => {
  const folder = folderOf({ "in.har": harOf(entry("{}")) });
  writeFileSync(
    join(folder, "n.json"),
    JSON.stringify({ names: [{ kind: "party", original: "alice", name: "party-1" }] }),
  );
  const ran = await understudy(["redact", "in.har", "--restore", "--out", "x.har", ...words], { folder });
  expect(ran).toMatchObject({ exitCode: 2, out: "" });
  expect(ran.error).toContain(problem);
  expect(existsSync(join(folder, "x.har"))).toBe(false);
});

import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeHar } from "../../src/recording/write-har.ts";
import { newestProfileOf } from "../../src/spec/spec.ts";
import { type Ran, root, temporaryFolder, understudy } from "./_command-line.ts";
import { start, understudyProcess } from "./_process.ts";
import { scenarioFiles, trafficOf } from "./_scenario-traffic.ts";

/** A recording of all scenarios, an entry a line, larger than what a thread takes at once. Some answers are made wrong. */
async function recordedLines(): Promise<readonly string[]> {
  const traffic = await Promise.all(scenarioFiles.map((file) => trafficOf(file, newestProfileOf("ledger"))));
  const { log } = JSON.parse(writeHar(traffic.flat(), "test"));
  const begin = Date.parse("2026-01-01T00:00:00Z");
  const lines: string[] = [];
  for (let index = 0; lines.join().length < 1_500_000; index += log.entries.length)
    for (const [place, entry] of log.entries.entries()) {
      // Every seventh comes a little late, and some much too late.
      const late = place % 97 === 0 ? 60_000 : place % 7 === 0 ? 40 : 0;
      const startedDateTime = new Date(begin + (index + place) * 10 - late).toISOString();
      const line = JSON.stringify({ ...entry, startedDateTime, time: (place % 5) * 4 });
      lines.push(place % 11 === 0 ? line.replaceAll('\\"resourceVersion\\":\\"', '\\"resourceVersion\\":\\"9') : line);
    }
  const secret = { name: "Authorization", value: "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2VjcmV0" };
  return lines.map((line, index) => {
    if (index % 13 > 0) return line;
    const entry = JSON.parse(line);
    entry.request.headers.push(secret);
    entry.response.status = 418;
    return JSON.stringify(entry);
  });
}

const lines: readonly string[] = await recordedLines();
const harOf = (entries: readonly string[]) => `{"log":{"version":"1.2","entries":[\n${entries.join(",\n")}\n]}}\n`;
const folder = temporaryFolder();
const middle = Math.floor(lines.length / 2);
const recordings = {
  "plain.har": harOf(lines),
  "other-breaks.har": harOf(lines).replaceAll(",\n{", " , \r\n{").replace("]}}\n", "] } }"),
  "blank-lines.har": harOf(lines).replaceAll(",\n{", ",\n\n{"),
  "two-a-line.har": harOf(lines).replaceAll(/,\n(?=\{"startedDateTime":"[^"]+3\d\dZ)/g, ","),
  "comment-behind.har": harOf(lines).replace("\n]}}\n", '\n],"comment":"x"}}\n'),
  "torn.har": harOf(lines).slice(0, -700),
  "wrong-line.har": harOf([...lines.slice(0, middle), '{"startedDateTime":}', ...lines.slice(middle)]),
  "a-text.har": harOf([...lines.slice(0, middle), '"x"', ...lines.slice(middle)]),
  "without-end.har": harOf(lines).replace("\n]}}\n", "\n"),
  "more-behind.har": `${harOf(lines)}x`,
  "none.har": harOf([]),
};
for (const [file, text] of Object.entries(recordings)) writeFileSync(join(folder, file), text);

function check(
  words: readonly string[],
  workers: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const check = workers === "1" ? understudy : understudyProcess;
  return check(["check", ...words, "--workers", workers], { folder, variables });
}

const own = (file: string) => join(root, "test/recordings", file);

test("three threads come to the verdict of one, in text too", async () => {
  for (const words of [["plain.har", "--json"], ["plain.har"]]) {
    const [one, two, three] = await Promise.all(["1", "2", "3"].map((workers) => check(words, workers)));
    expect([two, three]).toEqual([one, one]);
    expect(one?.exitCode).toBe(1);
  }
});

test.each([
  ...Object.keys(recordings)
    .slice(1)
    .map((file) => [[file]]),
  [["plain.har", "other-breaks.har"]],
  [["plain.har", "torn.har"]],
  [["plain.har", "nowhere.har"]],
  [["plain.har", "--level", "document", "--alone", "--neighbours"]],
  [["plain.har", "--shard", "1/2"]],
  [["plain.har", "--conduct"]],
  [["chrome.har", "firefox.har", "mitmproxy.har", "playwright.har"].map(own)],
  [["compressed.har", "postman.collection.json"].map(own)],
])("two threads come to the verdict of one: %j", async (words) => {
  const [one, two] = await Promise.all(["1", "2"].map((workers) => check([...words, "--json"], workers)));
  expect(two).toEqual(one);
  expect(one?.exitCode).toBeLessThan(3);
});

test("what several threads show of a violation has no secret, and the bodies that were recorded", async () => {
  const ran = await check(["plain.har", "--json", "--report", "threads.json"], "2");
  expect(ran.out).not.toContain("eyJ");
  expect(readFileSync(join(folder, "threads.json"), "utf8")).not.toContain("eyJ");
  const { violations, failed } = JSON.parse(ran.out);
  expect(failed).toBeGreaterThan(20);
  expect(
    violations.some((violation: { response?: { body: string } }) => (violation.response?.body.length ?? 0) > 100),
  ).toBe(true);
});

/** Has Node run this first, in each thread. */
const first = (code: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`import { isMainThread } from "node:worker_threads"; if (!isMainThread) { ${code} }`)}`,
});

test.each([
  ["ends early", "process.exit(0)", "A thread that judges ended before its work was done"],
  ["fails", 'throw new Error("no memory")', "A thread that judges failed (Error: no memory)"],
])("where a thread %s it is told, and one thread comes to the verdict", async (_what, code, told) => {
  const alone = await check(["plain.har", "--json"], "1");
  const ran = await check(["plain.har", "--json"], "2", first(code));
  expect(ran.error).toBe(`${told}. One thread begins anew.\n`);
  expect({ ...ran, error: "" }).toEqual({ ...alone, error: "" });
});

test("a check by threads ends at once when the user stops it", async () => {
  const waiting = first(
    'process.stderr.write("waits\\n", () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));',
  );
  const child = start(["check", "plain.har", "--workers", "2"], { folder, variables: waiting });
  const ended = once(child, "close");
  if (child.stderr === null) throw new Error("nothing to read");
  await once(child.stderr, "data");
  child.kill("SIGINT");
  expect(await ended).toEqual([null, "SIGINT"]);
});

test("a small recording starts no thread unless told so", async () => {
  const telling = first('process.stderr.write("a thread\\n")');
  const unasked = await understudyProcess(["check", "plain.har", "--json"], { folder, variables: telling });
  expect(unasked.error).toBe("");
  expect((await check(["plain.har", "--json"], "2", telling)).error).toBe("a thread\na thread\n");
});

test.each(["0", "65", "two", "-1", "1.5"])("--workers %s is refused", async (workers) => {
  const ran = await understudy(["check", "plain.har", `--workers=${workers}`], { folder });
  expect(ran).toMatchObject({ exitCode: 2, out: "" });
  expect(ran.error).toContain(`--workers ${workers} is no number of threads. Use 1 to 64.`);
});

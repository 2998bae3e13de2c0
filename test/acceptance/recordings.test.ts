import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { rules } from "../../src/checker/rules/index.ts";
import { bytesBefore } from "../../src/entrypoints/programs/check/shard.ts";
import { profileNamesOf } from "../../src/foundation/spec/spec.ts";
import { appended, openingOf } from "../../src/recordings/har/recording-frame.ts";
import { harEntry, harText } from "../_har.ts";
import { scenarioOf } from "../_scenario.ts";
import { expectRefusal, folderOf, root, serving, temporaryFolder, understudy } from "./_command-line.ts";
import { main } from "./_process.ts";

const entry = (index: number, path = "/v2/users", text = '{"users":[],"nextPageToken":""}') =>
  harEntry(`http://node${path}`, {
    startedAt: new Date(Date.parse("2026-01-01T00:00:00Z") + index * 5).toISOString(),
    text,
  });

const traceRules = new Set(rules.filter(({ type }) => type === "trace").map(({ id }) => id));

/** The report without trace rules: their results depend on the exchanges before the shard. */
function byExchange({ coverage: _, matrix, ...rest }: Record<string, unknown>): object {
  const rows = Array.isArray(matrix) ? matrix.filter(({ rule }) => !traceRules.has(rule)) : [];
  return { ...rest, rows };
}

const scenarios = readdirSync(join(root, "scenarios"))
  .filter((file) => file.endsWith(".arazzo.yaml"))
  .map((file) => `scenarios/${file}`);

/** The spec does not allow a ledger without identity providers, as that of a LocalNet. */
function isFor(file: string, profile: string): boolean {
  return profile !== "spec" || scenarioOf(join(root, file)).profiles.includes("spec");
}

test.each(profileNamesOf("ledger"))(
  "the recording of all scenarios in profile %s passes a check, each world as its own trace",
  async (profile) => {
    const har = join(temporaryFolder(), "seen.har");
    const ran = await understudy([
      "run",
      ...scenarios.filter((file) => isFor(file, profile)),
      "--profile",
      profile,
      "--out",
      har,
    ]);
    expect(ran.exitCode).toBe(0);
    const checked = await understudy(["check", har, "--profile", profile, "--json"]);
    expect(JSON.parse(checked.out)).toMatchObject({ failed: 0, warned: 0, violations: [] });
    expect(checked.exitCode).toBe(0);
    const worlds = new Set(readFileSync(har, "utf8").match(/(?<="Understudy-World",\s+"value": ")[^"]+/g));
    // The second participant of a scenario has an address of its own.
    const scenarioWorlds = [...worlds].filter((world) => !/-(?:participant2|appProvider)$/.test(world));
    expect(scenarioWorlds).toHaveLength(ran.out.match(/^passed/gm)?.length ?? 0);
  },
);

test.each([
  ["another program", harText],
  [
    "Understudy",
    (entries: readonly object[]) =>
      openingOf("1.0.0") +
      appended(
        entries.map((each) => JSON.stringify(each)),
        true,
      ),
  ],
])("merged reports of shards equal the report of the whole recording by %s", async (_name, textOf) => {
  const folder = temporaryFolder();
  const entries = Array.from({ length: 20_000 }, (_, index) =>
    index % 1000 === 0 ? entry(index, "/v2/users", `{"users":[{"id":${index}}]}`) : entry(index),
  );
  writeFileSync(join(folder, "x.har"), textOf(entries));
  const [whole, first, second] = await Promise.all(
    [[], ["--shard", "1/2", "--report", "1.json"], ["--shard", "2/2", "--report", "2.json"]].map((words) =>
      understudy(["check", "x.har", "--json", ...words], { folder }),
    ),
  );
  if (whole === undefined || first === undefined || second === undefined) throw new Error("three checks");
  expect([whole.exitCode, first.exitCode, second.exitCode]).toEqual([1, 1, 1]);
  expect([first, second].map(({ out }) => JSON.parse(out).exchanges)).toEqual([10_000, 10_000]);
  const merged = await understudy(["check", "merge", "1.json", "2.json", "--json"], { folder });
  const gaps = [
    [["1.json"], "shard 2 of 2 of x.har is missing. Pass the report of every shard exactly once."],
    [["1.json", "2.json", "./1.json"], "./1.json is given twice"],
  ] as const;
  for (const [files, problem] of gaps) {
    const refused = await understudy(["check", "merge", ...files], { folder });
    expect(refused).toMatchObject({ exitCode: 2, out: "", error: expect.stringContaining(problem) });
  }
  const [expected, actual] = [JSON.parse(whole.out), JSON.parse(merged.out)];
  expect(merged.exitCode).toBe(1);
  const command = "understudy check merge 1.json 2.json";
  expect(byExchange(actual)).toEqual({ ...byExchange(expected), command });
  expect([expected.failed, expected.coverage.cuts, actual.coverage.cuts]).toEqual([20, 0, 1]);
});

test("check merge refuses shards of a recording that grew between them", async () => {
  const folder = temporaryFolder();
  const entries = [entry(0), entry(1)];
  const sizes: number[] = [];
  for (const shard of [1, 2]) {
    const text = harText(entries.slice(0, shard));
    sizes.push(Buffer.byteLength(text));
    writeFileSync(join(folder, "x.har"), text);
    await understudy(["check", "x.har", "--shard", `${shard}/2`, "--report", `${shard}.json`], { folder });
  }
  const refused = await understudy(["check", "merge", "1.json", "2.json"], { folder });
  const problem = `x.har had ${sizes[0]} bytes for shard 1 of 2, and ${sizes[1]} bytes for shard 2 of 2. Check all shards`;
  expect(refused).toMatchObject({ exitCode: 2, out: "", error: expect.stringContaining(problem) });
});

test("a shard knows what the exchanges before its part show, and counts its own alone", async () => {
  const folder = temporaryFolder();
  const page = (id: string, token: string) => `{"users":[{"id":"${id}"}],"nextPageToken":"${token}"}`;
  const filler = (length: number) => `{"users":[],"nextPageToken":"","filler":"${"x".repeat(length)}"}`;
  // The second page begins the part of the third shard, and repeats the user of the first one.
  const entries = [
    entry(0, "/v2/users", filler(bytesBefore)),
    entry(1, "/v2/users", filler(bytesBefore - 750)),
    entry(2, "/v2/users", page("a", "t")),
    entry(3, "/v2/users?pageToken=t", page("a", "")),
  ];
  writeFileSync(join(folder, "x.har"), harText(entries));
  const [whole, third] = await Promise.all(
    [[], ["--shard", "auto/3"]].map((words) =>
      understudy(["check", "x.har", "--json", "--exclusive", ...words], {
        folder,
        variables: { JOB_COMPLETION_INDEX: "2" },
      }),
    ),
  );
  const [expected, actual] = [whole, third].map((ran) => JSON.parse(ran?.out ?? ""));
  expect([expected.exchanges, actual.exchanges, actual.coverage.cuts]).toEqual([4, 1, 1]);
  expect(actual).toMatchObject({ shard: { index: 3, of: 3 }, command: expect.stringContaining("--shard 3/3") });
  const repeats = expected.violations.filter(({ rule }: { rule: string }) => traceRules.has(rule));
  expect(repeats).toMatchObject([{ rule: "pages-disjoint", count: 1 }]);
  expect(actual.violations.filter(({ rule }: { rule: string }) => traceRules.has(rule))).toEqual(repeats);
});

test("shards do not split a Postman collection", async () => {
  const folder = temporaryFolder();
  const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
  const saved = {
    originalRequest: { method: "GET", header: [], url: "http://node/v2/users" },
    code: 200,
    header: [{ key: "Content-Type", value: "application/json" }],
    body: '{"users":[],"nextPageToken":""}',
  };
  const collection = { info: { name: "ledger", schema }, item: [{ response: Array(5001).fill(saved) }] };
  writeFileSync(join(folder, "x.json"), JSON.stringify(collection));
  const shards = ["1/2", "2/2"].map((shard) => understudy(["check", "x.json", "--json", "--shard", shard], { folder }));
  expect((await Promise.all(shards)).map(({ out }) => JSON.parse(out).exchanges)).toEqual([5001, 0]);
});

test("the report of a live check has the number of its shard", async () => {
  const { url } = await serving(["--auth", "user"]);
  const words = ["--ledger", url, "--token", "participant_admin", "--only", "token-", "--rate", "1000"];
  const ran = await understudy(["check", ...words, "--shard", "2/3", "--json"]);
  expect(JSON.parse(ran.out)).toMatchObject({ shard: { index: 2, of: 3 } });
});

test.each([
  ["a shard beyond the count", "check x.har --shard 3/2", "--shard 3/2: not a valid shard."],
  ["shard 0", "check x.har --shard 0/2", "--shard 0/2: not a valid shard."],
  ["a shard of a missing file", "check none.har --shard 1/2", "File not found: none.har"],
  ["a shard of a path below a file", "check package.json/x.har --shard 1/2", "package.json/x.har"],
  ["a shard of a folder", "check docs --shard 1/2", "docs is a folder."],
  ["no report", "check merge", "check merge needs at least one report"],
  [
    "a file that is not a report",
    "check merge package.json y",
    'package.json is not a report: it has no member "isFailed". Write one with: understudy check … --report FILE.json',
  ],
  ["a missing report", "check merge package.json y", "File not found: y. Check the path"],
])("refuses %s", (_name, words, text) => expectRefusal(words, text));

test("checks the entries before a problem, and reports the problems of all files", async () => {
  const folder = folderOf({
    "whole.har": harText([entry(0)]),
    "cut.har": harText([entry(0), entry(1), entry(2)]).slice(0, -40),
  });
  const ran = await understudy(["check", "cut.har", "none.har", "whole.har", "--report", "r.json"], { folder });
  expect(ran.exitCode).toBe(2);
  expect(ran.out).toContain("3 exchanges: 3 passed");
  expect(ran.error).toContain("cut.har: it is truncated after 2 entries, at line 4, byte ");
  expect(ran.error).toContain("File not found: none.har. Check the path");
  expect(ran.out).toContain("\nThe check found no violation, and is incomplete:\n  cut.har: it is truncated");
  const merged = await understudy(["check", "merge", "r.json"], { folder });
  expect(merged.exitCode).toBe(5);
  expect(merged.out).toContain(
    "File not found: none.har. Check the path; it is relative to the working directory.\n3 exchanges: ",
  );
});

test("reads a recording from standard input", () => {
  const input = harText([entry(0), entry(1)]);
  const out = execFileSync(process.execPath, [main, "check", "-"], { input, encoding: "utf8" });
  expect(out).toContain("2 exchanges: 2 passed");
});

const packings = [
  ["without compression", (text: string) => Buffer.from(text)],
  ["compressed with gzip", gzipSync],
  [
    "compressed with gzip in two parts",
    (text: string) => Buffer.concat([text.slice(0, 90), text.slice(90)].map((part) => gzipSync(part))),
  ],
  ["compressed with zstd", zstdCompressSync],
] as const;

test.each(packings)("reads a recording %s, from a file and from standard input", async (_name, pack) => {
  const input = pack(harText([entry(0), entry(1)]));
  expect((await understudy(["check", "-"], { input })).out).toContain("2 exchanges: 2 passed");
  const folder = folderOf({ x: input });
  expect((await understudy(["check", "x"], { folder })).out).toContain("2 exchanges: 2 passed");
});

test("import writes a fixture for a complete recording, and none for a truncated one", async () => {
  const folder = temporaryFolder();
  const lookup = JSON.stringify({
    request: {
      method: "POST",
      url: "http://registry/registry/transfer-instruction/v2/transfer-factory",
      body: { choiceArguments: { transfer: { instrumentId: { admin: "a::1220ab", id: "Amulet" } } } },
    },
    response: { status: 200, body: { factoryId: "00", choiceContext: {} } },
  });
  writeFileSync(join(folder, "torn.json"), `${lookup}\n{"log":`);
  const torn = await understudy(["import", "torn.json", "--registry-only"], { folder });
  expect(torn).toMatchObject({ exitCode: 2, out: "", error: expect.stringContaining("it is truncated after 1 entry") });
  writeFileSync(join(folder, "lookup.json"), lookup);
  const ran = await understudy(["import", "lookup.json", "--registry-only"], { folder });
  expect(ran).toMatchObject({ exitCode: 0 });
  expect(ran.out).toContain("admin: a::1220ab");
});

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { harEntry } from "../_har.ts";
import { expectRefusal, folderOf, understudy } from "./_command-line.ts";

interface HandlerResponse {
  readonly path: string;
  readonly status: number;
  readonly body: string;
}

const broken: HandlerResponse = { path: "/v2/users", status: 200, body: '{"users":[{"id":5}]}' };
const kept: HandlerResponse = { path: "/v2/users", status: 200, body: '{"users":[]}' };
const alsoBroken: HandlerResponse = { path: "/v2/idps", status: 200, body: '{"identityProviderConfigs":{}}' };

/** A folder with a recording of these responses. */
function recorded(...responses: readonly HandlerResponse[]): string {
  const entries = responses.map(({ path, status, body }) =>
    harEntry(`http://node.example${path}`, { status, text: body }),
  );
  return folderOf({ "seen.har": JSON.stringify({ log: { entries } }) });
}

const check = (folder: string, ...words: readonly string[]) => understudy(["check", "seen.har", ...words], { folder });

test("writes a report in the format of the file's extension, with the same bytes each time", async () => {
  const folder = recorded(broken, kept);
  const endings = ["json", "sarif", "xml", "md", "html"];
  const reports = (name: string) => endings.flatMap((ending) => ["--report", `${name}.${ending}`]);
  const ran = await check(folder, ...reports("one"), ...reports("two"));
  expect(ran).toMatchObject({ exitCode: 1, error: "" });
  const textOf = (file: string) => readFileSync(join(folder, file), "utf8");
  for (const ending of endings) expect(textOf(`two.${ending}`)).toBe(textOf(`one.${ending}`));
  expect(JSON.parse(textOf("one.json"))).toMatchObject({ isFailed: true, sources: ["seen.har"] });
  expect(JSON.parse(textOf("one.sarif"))).toMatchObject({ version: "2.1.0" });
  expect(textOf("one.xml")).toMatch(/^<\?xml /);
  expect(textOf("one.md")).toMatch(/^## ❌ understudy check\n/);
  expect(textOf("one.html")).toMatch(/^<!doctype html>\n/);
});

test("reads the report files from the environment, separated by commas or one per line", async () => {
  const folder = recorded(kept);
  for (const [value, files] of [
    ["a.json, b.md", ["a.json", "b.md"]],
    ["c.json\nd.md\n", ["c.json", "d.md"]],
  ] as const) {
    const ran = await understudy(["check", "seen.har"], { folder, variables: { UNDERSTUDY_REPORT: value } });
    expect([ran.exitCode, files.every((file) => existsSync(join(folder, file)))]).toEqual([0, true]);
  }
  const variables = { UNDERSTUDY_REPORT: "e.json" };
  await understudy(["check", "seen.har", "--report", "f.json"], { folder, variables });
  expect([existsSync(join(folder, "e.json")), existsSync(join(folder, "f.json"))]).toEqual([false, true]);
});

test.each([
  ["an unknown extension", "--report out.txt", "Use .json, .sarif, .xml (JUnit), .md or .html."],
  ["no extension", "--report out", "Use .json, .sarif, .xml (JUnit), .md or .html."],
  ["no value", "--report ", "--report needs a value."],
  ["a missing folder", "--report none/out.json", "none/out.json cannot be written: there is no folder"],
  ["a folder as the report", "--report taken.json", "taken.json cannot be written: it is a folder."],
  ["the recording", "--report seen.json", "seen.json is the input"],
  ["the same file twice", "--report a.md --report ./a.md", "is given twice"],
  ["no file for the baseline", "--update-baseline", "--update-baseline needs a file: --baseline FILE"],
  [
    "a missing baseline",
    "--baseline none.yaml",
    "File not found: none.yaml. Check the path; it is relative to the working directory. Write a new baseline",
  ],
  ["a baseline that is not valid YAML", "--baseline torn.yaml", "torn.yaml:2:5: a bracket is not closed"],
  ["a baseline of another form", "--baseline odd.yaml", 'odd.yaml:3:5: accepted.0 has the unknown member "finger"'],
  ["another file to be overwritten", "--baseline odd.yaml --update-baseline", "odd.yaml:2:5: "],
])("refuses %s before it reads a recording", (_name, words, problem) => {
  const odd = "accepted:\n  - outcome: FAIL\n    finger: a\n    says: b\n";
  const folder = folderOf({ "torn.yaml": "accepted:\n  - [\n", "odd.yaml": odd, "taken.json/a": "" });
  // The recording is missing too. Its message would appear when it is read.
  return expectRefusal(`check seen.json ${words}`, problem, { folder });
});

test("a baseline accepts known violations of a target, and new ones fail the check", async () => {
  const folder = recorded(broken, kept);
  expect((await check(folder)).exitCode).toBe(1);
  const written = await check(folder, "--baseline", "accepted.yaml", "--update-baseline");
  expect(written).toMatchObject({ exitCode: 0, error: "" });
  const { accepted } = parse(readFileSync(join(folder, "accepted.yaml"), "utf8"));
  const fingerprint = "body-schema getV2Users 200 /users/*/id type";
  const finding = "getV2Users 200: expected /users/0/id must be string, actual 5";
  expect(accepted).toEqual([{ fingerprint, outcome: "FAIL", finding }]);

  const again = await check(folder, "--baseline", "accepted.yaml");
  expect(again.exitCode).toBe(0);
  expect(again.out).toContain(`\nAccepted by the baseline: ${fingerprint}\n`);
  expect(again.out).toContain("\nThe check passes; 1 kind of violation accepted by accepted.yaml.\n");
  expect(again.out).not.toContain("FAIL");

  const worse = recorded(broken, alsoBroken);
  writeFileSync(join(worse, "accepted.yaml"), readFileSync(join(folder, "accepted.yaml")));
  const failed = await check(worse, "--baseline", "accepted.yaml");
  expect(failed.exitCode).toBe(1);
  expect(failed.out.match(/^FAIL .*/gm)).toEqual(["FAIL body-schema: getV2Idps 200, GET /v2/idps"]);

  const better = recorded(kept);
  writeFileSync(join(better, "accepted.yaml"), readFileSync(join(folder, "accepted.yaml")));
  const fixed = await check(better, "--baseline", "accepted.yaml", "--json");
  expect(fixed.exitCode).toBe(0);
  expect(JSON.parse(fixed.out)).toMatchObject({ event: "verdict", baseline: { accepted: [], fixed: [fingerprint] } });
  expect((await check(better, "--baseline", "accepted.yaml", "--update-baseline")).out).toContain(
    `\nFixed since the baseline: ${fingerprint}\n`,
  );
  expect(parse(readFileSync(join(better, "accepted.yaml"), "utf8"))).toEqual({ accepted: [] });
});

test("an incomplete check writes no baseline", async () => {
  const folder = recorded(broken);
  const whole = readFileSync(join(folder, "seen.har"), "utf8");
  writeFileSync(join(folder, "seen.har"), whole.slice(0, -2));
  const ran = await check(folder, "--baseline", "accepted.yaml", "--update-baseline");
  expect([ran.exitCode, existsSync(join(folder, "accepted.yaml"))]).toEqual([2, false]);
  expect(ran.error).toContain("accepted.yaml is not written: the check is incomplete");
  expect(ran.out).toMatch(/^The check fails: 1 new kind of violation, and is incomplete: seen\.har: it is truncated/m);
});

test("--json prints one line, without progress", async () => {
  const folder = recorded(broken);
  const ran = await check(folder, "--json", "--report", "a.json");
  expect([ran.out.trim().split("\n").length, ran.error]).toEqual([1, ""]);
  expect(JSON.parse(ran.out)).toMatchObject({ event: "verdict", failed: 1, isStrict: false, sources: ["seen.har"] });
  const help = (await check(folder, "--help")).out;
  expect(help).toContain("(can be repeated)");
  expect(help).toContain(
    "Flags override environment variables (UNDERSTUDY_PROFILE), which override understudy.config.ts.",
  );
});

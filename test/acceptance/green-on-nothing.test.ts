import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { check, run, validate } from "../../src/index.ts";
import { harEntry, harText } from "../_har.ts";
import { folderOf, root, running, understudy } from "./_command-line.ts";

const node = "http://node.example";
const page = '{"users":[],"nextPageToken":""}';
const whole = harEntry(`${node}/v2/users`, { text: page });
const left = { mimeType: "application/json", size: 120 };
const withoutBody = harEntry(`${node}/v2/users`, { content: left });
const pact = { consumer: { name: "a" }, provider: { name: "b" }, metadata: { pactSpecification: { version: "4.0" } } };

const folder = folderOf({
  "whole.har": harText([whole]),
  "empty.har": harText([]),
  "blank.har": "",
  "other.har": harText([harEntry("http://shop.example/health"), harEntry(`${node}/v2/version`)]),
  "bodies-left-out.har": harText([withoutBody, harEntry(`${node}/v2/idps`, { content: left })]),
  "bodies-in-files.har": harText([harEntry(`${node}/v2/users`, { content: { ...left, _file: "1.json" } })]),
  "size-unknown.har": harText([harEntry(`${node}/v2/users`, { content: { mimeType: "application/json", size: -1 } })]),
  "no-content.har": harText([harEntry(`${node}/v2/users`, { content: {} })]),
  "aborted.har": harText([harEntry(`${node}/v2/users`, { status: 0, content: {} })]),
  "refused.har": harText([harEntry(`${node}/v2/users`, { status: 401, headers: { Authorization: "Bearer any" } })]),
  "cached.har": harText([harEntry(`${node}/v2/users`, { status: 304, content: { size: 0, mimeType: "" } })]),
  "some.har": harText([withoutBody, whole]),
  "empty-pact.json": JSON.stringify({ ...pact, interactions: [] }),
  "no-workflows.yaml": "arazzo: 1.0.1\ninfo: { title: a, version: '1' }\nsourceDescriptions: []\nworkflows: []\n",
  "blank.yaml": "",
  "accepted.yaml": "accepted: []\n",
  "coverage/report.txt": "",
  "nothing/.keep": "",
});

const noBody = "the recording has no body; export it with its content";

interface Case {
  readonly what: string;
  readonly words: string;
  /** A part of the message: what is missing, or the remedy. */
  readonly says: string;
  /** Whether the input is valid, and too little of it could be checked. */
  readonly isIncomplete?: true;
}

const cases: readonly Case[] = [
  ...checks("a recording without an exchange", "empty.har", "Record some requests first"),
  ...checks("an empty file", "blank.har", "it is empty"),
  ...incomplete(
    "exchanges of other operations only",
    "other.har",
    "--all-operations checks the additional operations too",
  ),
  ...incomplete("responses without bodies", "bodies-left-out.har", noBody),
  ...incomplete("bodies in files of their own", "bodies-in-files.har", 'record it with content: "embed"'),
  ...incomplete("bodies of unknown size", "size-unknown.har", noBody),
  ...incomplete("responses without content", "no-content.har", noBody),
  ...incomplete("responses that a browser had cached", "cached.har", "record with an empty cache"),
  ...incomplete("requests that the client aborted", "aborted.har", "getV2Users was not checked: no response"),
  ...incomplete(
    "an operation without a body beside one that is checked",
    "whole.har bodies-left-out.har",
    "getV2Idps was not",
  ),
  ...checks("an empty recording beside another", "whole.har empty.har", "empty.har contains no exchange"),
  ...incomplete("a required operation without a body", "bodies-left-out.har --require getV2Users", noBody),
  ...incomplete("client rules over responses without bodies", "bodies-left-out.har --client-rules", "2 not checked"),
  ...incomplete("a baseline over responses without bodies", "bodies-left-out.har --baseline accepted.yaml", noBody),
  ...checks("a folder", "nothing", "nothing is a folder"),
  ...checks("a pattern without a match", "none*.har", "File not found: none*.har"),
  ...checks("standard input without a byte", "-", "it is empty"),
  ...incomplete("a migration without requests", "empty.har --migrate-to canton-3.6", "Record some requests first"),
  ...incomplete(
    "a migration without comparable requests",
    "refused.har --migrate-to canton-3.6",
    "No request was compared",
  ),
  ...checks("a report that is missing", "merge none.json", "none.json"),
  ...checks("coverage of an empty folder", "coverage nothing", "UNDERSTUDY_COVERAGE=seen"),
  { what: "validate with an empty file", words: "validate blank.yaml", says: "the file is empty" },
  { what: "validate with no workflow", words: "validate no-workflows.yaml", says: "workflows must NOT have fewer" },
  { what: "validate with a folder", words: "validate nothing", says: "nothing is a folder" },
  { what: "validate with a pattern without a match", words: "validate none*.yaml", says: "File not found" },
  { what: "validate with a Pact without interactions", words: "validate empty-pact.json", says: "no interaction" },
  {
    what: "pact check of no interaction",
    words: "pact check empty-pact.json",
    says: "No interaction was checked",
    isIncomplete: true,
  },
  { what: "pact check of an empty folder", words: "pact check nothing", says: "contains no Pact file" },
  { what: "run without a workflow", words: "run no-workflows.yaml", says: "workflows must NOT have fewer" },
  { what: "run with a pattern without a match", words: "run none*.yaml", says: "File not found" },
  {
    what: "run of scenarios that do not support the release",
    words: `run ${root}scenarios/vetting.arazzo.yaml --profile canton-3.6`,
    says: "Nothing was run",
    isIncomplete: true,
  },
  { what: "redact of nothing", words: "redact empty.har --out redacted.har", says: "nothing is written" },
  { what: "import of nothing", words: "import empty.har", says: "no exchange with a known operation" },
  { what: "import of responses without bodies", words: "import bodies-left-out.har", says: "no complete response" },
  { what: "import of no lookup", words: "import whole.har --registry-only", says: "no transfer-factory lookup" },
  { what: "replay of nothing", words: "replay empty.har", says: "has no exchange to replay" },
];

function checks(what: string, files: string, says: string): readonly Case[] {
  return [{ what: `check of ${what}`, words: `check ${files}`, says }];
}

function incomplete(what: string, files: string, says: string): readonly Case[] {
  return checks(what, files, says).map((one) => ({ ...one, isIncomplete: true }));
}

test.each(cases)("$what does not pass and says why", async ({ words, says, isIncomplete }) => {
  const { exitCode, out, error } = await understudy(words, { folder });
  expect(exitCode, out + error).toBe(isIncomplete ? 5 : 2);
  expect(out + error).toContain(says);
  expect(out).not.toMatch(/The check passes|every response equals|: valid/);
});

test("check counts a response without a body apart from those that passed", async () => {
  const { exitCode, out } = await understudy("check some.har", { folder });
  expect(exitCode).toBe(0);
  expect(out).toContain("2 exchanges: 1 passed, 0 with known divergences only, 0 failed, 1 not checked.");
  expect(out).toContain(`Not checked: getV2Users 1 time: ${noBody}`);
});

test.each(["whole", "bodies-left-out", "other"])("a shard without an exchange does not pass: %s.har", async (name) => {
  const { exitCode, out } = await understudy(`check ${name}.har --shard 2/2 --report ${name}.2.json --force`, {
    folder,
  });
  expect([exitCode, out]).toEqual([
    0,
    expect.stringContaining("Nothing to check in this part: understudy check merge"),
  ]);
});

test.each([
  { name: "bodies-left-out", says: noBody },
  { name: "other", says: "no exchange calls an operation of the spec" },
])("check merge of shards without a readable response ends with exit code 5: $name", async ({ name, says }) => {
  for (const part of [1, 2])
    await understudy(`check ${name}.har --shard ${part}/2 --report ${name}-${part}.json --force`, { folder });
  const { exitCode, out, error } = await understudy(`check merge ${name}-1.json ${name}-2.json`, { folder });
  expect([exitCode, out + error]).toEqual([5, expect.stringContaining(says)]);
});

test("check of a target ends with exit code 5 if no probe may run", async () => {
  const served = await running(["serve", "--port", "0"]);
  const { exitCode, error } = await understudy(`check --ledger ${served.url} --only grant-rights`);
  expect([exitCode, error]).toEqual([5, expect.stringContaining("Nothing to check: no probe could run.")]);
});

test("replay and record end with exit code 5 if they receive no request", async () => {
  const replayed = await running(["replay", "whole.har", "--port", "0"], { folder });
  expect(await replayed.end()).toMatchObject({
    exitCode: 5,
    error: expect.stringContaining("No request was received"),
  });
  const served = await running(["serve", "--port", "0"]);
  const words = ["record", "--port", "0", "--ledger", served.url, "--out", "recorded.har"];
  const recorded = await running(words, { folder });
  expect(await recorded.end()).toMatchObject({ exitCode: 5, out: expect.stringContaining("no request was received") });
});

test("programs get no verdict on nothing", async () => {
  const checked = await check({ recordings: ["bodies-left-out.har"], folder });
  expect(checked).toMatchObject({ hasPassed: false, summary: { passed: 0, notChecked: [{ count: 1 }, { count: 1 }] } });
  const scenario = `${root}scenarios/vetting.arazzo.yaml`;
  await expect(run({ scenarios: [scenario], profile: "canton-3.6" })).rejects.toThrow("Nothing was run");
  await expect(validate({ files: [] })).rejects.toThrow("option files: the list is empty");
  await expect(check({ recordings: [] })).rejects.toThrow("option recordings: the list is empty");
});

test("an unreadable baseline does not accept everything", async () => {
  writeFileSync(join(folder, "broken.yaml"), "");
  const { exitCode } = await understudy("check whole.har --baseline broken.yaml", { folder });
  expect(exitCode).toBe(2);
});

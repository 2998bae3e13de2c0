import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { check, createUnderstudy, replay, run, startUnderstudy, UnderstudyError, validate } from "../../src/index.ts";
import { harEntry, harText } from "../_har.ts";
import { folderOf, root, understudy } from "./_command-line.ts";

const scenarios = [join(root, "scenarios/quickstart.arazzo.yaml")];
const users = '{"users":[{"id":5}],"nextPageToken":""}';
const recorded = folderOf({
  "traffic.har": harText([harEntry("https://ledger.example.com/v2/users", { text: users })]),
  "broken.har": '{"log":{"entries":[{"startedDateTime"',
  "ledger.yaml": readFileSync(join(root, "fixtures/ledgers/paging.yaml"), "utf8").replace("isLocal", "isLocl"),
  "wrong.arazzo.yaml": "arazzo: 1.0.1\nworkflows: 5\n",
});

/** The error that a function rejects with. */
async function errorOf(result: Promise<unknown>): Promise<UnderstudyError> {
  const error = await result.catch((caught: unknown) => caught);
  if (error instanceof UnderstudyError) return error;
  throw new Error(`not an UnderstudyError: ${error}`);
}

test("check reads recordings and gives the report of the command", async () => {
  const result = await check({ recordings: ["traffic.har"], profile: "canton-3.5", folder: recorded });
  expect(result.hasPassed).toBe(false);
  expect(result.summary.violations).toMatchObject([{ rule: "body-schema", operationId: "getV2Users", actual: "5" }]);
  const ran = await understudy("check traffic.har --profile canton-3.5 --json", { folder: recorded });
  const { event, command, ...printed } = JSON.parse(ran.out);
  const { hasPassed, notes, summary, ...report } = result;
  const profileReason = "canton-3.5 (set by option profile)";
  expect([event, notes, JSON.parse(JSON.stringify({ ...summary, ...report }))]).toEqual([
    "verdict",
    [],
    { ...printed, profileReason },
  ]);
  expect(command).toBe("understudy check traffic.har --profile canton-3.5");
});

test("check sends the probes of a live target, and its options are those of the command", async () => {
  const stub = await startUnderstudy({ profile: "canton-3.5" });
  onTestFinished(() => stub.close());
  const target = { ledger: stub.ledgerUrl, token: "any", rate: 1000, limits: { requestsMax: 40 }, seed: "mine" };
  const result = await check({ ...target, only: ["users-walk"], failOn: ["warning"], require: ["getV2Users"] });
  expect([result.hasPassed, result.probing?.seed, result.command]).toEqual([true, "mine", undefined]);
  expect((await check({ ...target, only: ["users-walk"], require: ["getV2Idps"] })).hasPassed).toBe(false);
  expect(await check({ ledger: stub.ledgerUrl, only: ["users-walk"] }).catch(({ message }) => message)).toContain(
    "Nothing to check: no probe could run.",
  );
});

test("a target file can name any variable, and no variable sets an option", async () => {
  vi.stubEnv("UNDERSTUDY_NODE_TOKEN", "any");
  vi.stubEnv("UNDERSTUDY_STRICT", "true");
  onTestFinished(() => void vi.unstubAllEnvs());
  const stub = await startUnderstudy({ profile: "canton-3.5" });
  onTestFinished(() => stub.close());
  const text = `ledger: ${stub.ledgerUrl}\ntokens: { administrator: { env: UNDERSTUDY_NODE_TOKEN } }\n`;
  const folder = folderOf({ "target.yaml": text });
  const { isStrict, probing } = await check({ target: "target.yaml", folder, only: ["users-walk"], rate: 1000 });
  expect([isStrict, probing?.probes.map(({ outcome }) => outcome)]).toEqual([false, ["run"]]);
});

test("run plays scenarios in each release, and gives the results of the command", async () => {
  const { hasPassed, runs, notes } = await run({ scenarios });
  expect([hasPassed, runs.map(({ profile }) => profile.ledger), notes]).toEqual([
    true,
    ["spec", "canton-3.6", "canton-3.5", "canton-3.4.12", "canton-3.4.11"],
    [],
  ]);
  const ran = await understudy(["run", ...scenarios, "--profile", "canton-3.5", "--json"]);
  const [first] = (await run({ scenarios, profile: "canton-3.5" })).runs;
  expect(JSON.parse(JSON.stringify({ event: "ran", ...first }))).toEqual(JSON.parse(ran.out));
});

test("replay serves a recording, and keeps requests to which it has no response", async () => {
  await using recording = await replay({ recording: "traffic.har", profile: "canton-3.5", folder: recorded });
  const get = (path: string) => fetch(`${recording.ledgerUrl}${path}`, { headers: { Authorization: "Bearer any" } });
  expect(await (await get("/v2/users")).text()).toBe(users);
  expect((await get("/v2/idps")).status).toBe(501);
  expect([recording.exchanges, recording.notes, recording.registryUrl]).toEqual([1, [], recording.ledgerUrl]);
  expect(recording.summary).toEqual({ matched: 1, repeated: 0, continued: 0, unmatched: 1, neverRequested: 0 });
  const [unmatched] = recording.unmatched;
  expect(unmatched).toMatchObject({ method: "GET", target: "/v2/idps", reason: expect.stringMatching(/\w/) });
});

test("replay continues with a scenario, and its port is refused while another server has it", async () => {
  const options = { recording: "traffic.har", continueWith: join(root, "scenarios/quickstart.arazzo.yaml") };
  await using recording = await replay({ ...options, folder: recorded });
  const response = await fetch(`${recording.ledgerUrl}/v2/idps`, { headers: { Authorization: "Bearer any" } });
  expect([response.status, recording.summary.continued, recording.unmatched]).toEqual([200, 1, []]);
  const port = Number(new URL(recording.ledgerUrl).port);
  const error = await errorOf(replay({ recording: "traffic.har", folder: recorded, port }));
  expect(error.message).toBe(
    `Port ${port} is taken. Choose another with option port N, or option port 0 for a free one.`,
  );
});

test("the end of a replay rejects if its recording has changed", async () => {
  const folder = folderOf({
    "traffic.har": harText([harEntry("https://ledger.example.com/v2/users", { text: users })]),
  });
  const recording = await replay({ recording: "traffic.har", folder });
  appendFileSync(join(folder, "traffic.har"), "\n");
  const response = await fetch(`${recording.ledgerUrl}/v2/users`, { headers: { Authorization: "Bearer any" } });
  expect(response.status).toBe(500);
  const error = await errorOf(recording.close());
  expect(error.message).toContain("traffic.har has changed since replay read it.");
});

test("validate gives the problems of files with their lines", async () => {
  const { isValid, files } = await validate({ files: ["wrong.arazzo.yaml", ...scenarios], folder: recorded });
  expect([isValid, files.map(({ problems }) => problems.length > 0)]).toEqual([false, [true, false]]);
  expect(files[0]?.problems[0]).toMatchObject({ file: "wrong.arazzo.yaml", line: 2, advice: expect.any(String) });
});

test.each([
  [
    "an unknown option",
    () => check({ recordings: ["a.har"], ...{ profil: "x" } }),
    'unknown option "profil". Did you mean "profile"?',
  ],
  [
    "an option of the command line",
    () => check({ recordings: ["traffic.har"], folder: recorded, ...{ report: "x.html" } }),
    'unknown option "report".',
  ],
  [
    "a missing baseline, before a request",
    () => check({ ledger: "http://127.0.0.1:9", baseline: "none.yaml", folder: recorded }),
    "File not found: none.yaml",
  ],
  [
    "a wrong value",
    () => check({ ledger: "https://ledger.example.com", seed: "a b" }),
    "option seed a b: not a valid seed.",
  ],
  [
    "an option of the other kind",
    () => check({ recordings: ["a.har"], ...{ rate: 5 } }),
    "option rate applies to a live target",
  ],
  ["a pair of options", () => run({ scenarios, timeout: 3 }), "option timeout has no effect without option against."],
])("%s is refused in the words of the function", async (_, call, message) => {
  const error = await errorOf(call());
  expect([error.message, error.type]).toEqual([expect.stringContaining(message), "input"]);
});

test.each([
  [
    "a missing file",
    () => check({ recordings: ["trafic.har"], folder: recorded }),
    { file: "trafic.har", advice: 'Did you mean "traffic.har"?' },
  ],
  [
    "a broken recording",
    () => check({ recordings: ["broken.har"], folder: recorded }),
    { file: "broken.har", line: 1 },
  ],
  [
    "a missing recording to replay",
    () => replay({ recording: "trafic.har", folder: recorded }),
    { file: "trafic.har", advice: 'Did you mean "traffic.har"?' },
  ],
  [
    "an invalid scenario",
    () => run({ scenarios: ["wrong.arazzo.yaml"], folder: recorded }),
    { file: "wrong.arazzo.yaml", line: 2 },
  ],
  [
    "an invalid scenario of a stub",
    async () => createUnderstudy({ scenario: join(recorded, "wrong.arazzo.yaml") }),
    { line: 2 },
  ],
])("the error for %s has its place and the remedy", async (_, call, problem) => {
  const error = await errorOf(call());
  expect(error.problems[0]).toMatchObject({ advice: expect.stringMatching(/\w/), ...problem });
  expect(error.message).toContain(error.problems[0]?.problem);
});

test("the error for a target that does not respond says so", async () => {
  const closed = await startUnderstudy();
  await closed.close();
  for (const call of [() => check({ ledger: closed.ledgerUrl }), () => run({ scenarios, against: closed.ledgerUrl })])
    expect(await errorOf(call())).toMatchObject({
      type: "unreachable",
      message: expect.stringContaining("cannot be reached"),
    });
});

const itself: Record<string, unknown> = {};
itself["user"] = itself;

/** A function with options that its type refuses, as a program in JavaScript can give them. */
const untyped = (call: (options: never) => Promise<unknown>, options: unknown) => () =>
  Reflect.apply(call, undefined, [options]);

test.each([
  ["run()", untyped(run, undefined), "undefined is not an object of options. The type RunOptions lists them."],
  ["run({})", untyped(run, {}), 'option scenarios: undefined is not a list. Use scenarios: ["first.arazzo.yaml"].'],
  [
    "run with a text",
    untyped(run, { scenarios: "x" }),
    'option scenarios: "x" is not a list. Use scenarios: ["first.arazzo.yaml"].',
  ],
  [
    "run without scenarios",
    untyped(run, { scenarios: [] }),
    'option scenarios: the list is empty. Use scenarios: ["first.arazzo.yaml"].',
  ],
  ["run with a number as scenario", untyped(run, { scenarios: [5] }), "option scenarios: 5 is not a non-empty string."],
  [
    "run with a text as time limit",
    untyped(run, { scenarios, against: "http://localhost", timeout: "5" }),
    'option timeout: "5" is not a time limit. Use more than 0 seconds, and at most 3600.',
  ],
  [
    "run with a base URL without a scheme",
    untyped(run, { scenarios, against: "localhost:7575" }),
    "option against localhost:7575 has neither http:// nor https://: write http://localhost:7575.",
  ],
  [
    "run with a short control token",
    untyped(run, { scenarios, against: "http://localhost", controlToken: "x" }),
    "option controlToken: its length is 1. Use 16 to 256 characters;",
  ],
  [
    "run with a release of the registry",
    untyped(run, { scenarios, profile: "splice-0.7" }),
    'option profile: unknown value "splice-0.7".',
  ],
  [
    "check({})",
    untyped(check, {}),
    'check needs a recording or a target. Use recordings: ["traffic.har"], or ledger: "http://localhost:7575".',
  ],
  ["check with a text", untyped(check, "traffic.har"), '"traffic.har" is not an object of options.'],
  [
    "check of a misspelt option",
    untyped(check, { recording: ["traffic.har"] }),
    'unknown option "recording". Did you mean "recordings"?',
  ],
  [
    "check without recordings",
    untyped(check, { recordings: [] }),
    'option recordings: the list is empty. Use recordings: ["traffic.har"].',
  ],
  [
    "check of recordings as a text",
    untyped(check, { recordings: "traffic.har" }),
    'option recordings: "traffic.har" is not a list. Use recordings: ["traffic.har"].',
  ],
  [
    "check of recordings and a target",
    untyped(check, { recordings: ["a.har"], ledger: "http://localhost" }),
    "check takes recordings or a live target, not both. Remove one of the two.",
  ],
  [
    "check of a target with an option for recordings",
    untyped(check, { ledger: "http://localhost", exclusive: true }),
    "option exclusive applies to recordings, not to a live target. Remove it.",
  ],
  [
    "check with a misspelt kind",
    untyped(check, { recordings: ["a.har"], failOn: ["warnings"] }),
    'option failOn: unknown value "warnings". Did you mean "warning"?',
  ],
  [
    "check with a text as flag",
    untyped(check, { recordings: ["a.har"], strict: "yes" }),
    'option strict: "yes" is not a boolean. Use true or false.',
  ],
  [
    "check of an unknown operation",
    untyped(check, { ledger: "http://localhost", require: ["getUsers"] }),
    "option require getUsers: unknown value.",
  ],
  [
    "check with an unknown limit",
    untyped(check, { ledger: "http://localhost", limits: { requestMax: 5 } }),
    'unknown option "requestMax"',
  ],
  [
    "check with a target that refers to itself",
    untyped(check, { target: itself }),
    'option target is not JSON. Use members of a target file, such as { user: "bob" }.',
  ],
  [
    "check of a target with a misspelt member",
    untyped(check, { target: { ledgr: "http://localhost" } }),
    "option target",
  ],
  ["check of a target without a URL", untyped(check, { target: {} }), "Set option ledger, option registry or both."],
  ["replay({})", untyped(replay, {}), "option recording: undefined is not a non-empty string."],
  [
    "replay with a misspelt match",
    untyped(replay, { recording: "traffic.har", match: "exact" }),
    'option match: unknown value "exact".',
  ],
  [
    "replay at a port that does not exist",
    untyped(replay, { recording: "traffic.har", port: -1 }),
    "option port: -1 is not a valid port. Use an integer from 0 to 65535.",
  ],
  ["validate({})", untyped(validate, {}), 'option files: undefined is not a list. Use files: ["ledger.yaml"].'],
  ["validate(null)", untyped(validate, null), "null is not an object of options."],
])("%s says what is expected", async (_, call, message) => {
  expect(await errorOf(call())).toMatchObject({ type: "input", message: expect.stringContaining(message) });
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { always, atPort } from "./_at-port.ts";
import { expectRefusal, folderOf, root, serving, started, temporaryFolder, understudy } from "./_command-line.ts";

// `understudy check` on live targets: a stub behind a socket, and servers that are not ledgers.

const quickstart = join(root, "fixtures/targets/quickstart.target.yaml");
const speed = "--rate 1000 --seed t";
const fast = speed.split(" ");

const closedPort = "http://127.0.0.1:1";

test("the quickstart target file reaches every operation of a stub, hooks included, and finds nothing", async () => {
  const { url } = await serving(["--auth", "user", "--profile", "canton-3.5"]);
  const ran = await understudy(`check --target ${quickstart} --ledger ${url} --registry ${url} --destructive ${speed}`);
  expect({ error: ran.error, exitCode: ran.exitCode }).toMatchObject({ exitCode: 0 });
  expect(ran.out).toContain(" 0 failed");
  expect(ran.out).toContain(
    "Statuses not observed: getV2UsersUser-idRights (GET /v2/users/{user-id}/rights) 400; getV2Packages (GET /v2/packages) 400; getV2StateLedger-end (GET /v2/state/ledger-end) 400; getTransferFactory (POST /registry/transfer-instruction/v2/transfer-factory) 404\n",
  );
  const skipped = ran.out.split("\n").filter((line) => line.startsWith("  skipped, "));
  expect(skipped.map((line) => line.split(": ").at(-1)).sort()).toEqual(["lookup-preapproval", "token-expired"]);
  expect(ran.out).toContain("Checked against canton-3.5 (the target is 3.5.19),");
  expect(ran.out).toContain("generated: sender understudy-probe-t-sender::1220");
  expect(ran.out).toMatch(/^Created at the target .*party understudy-probe-t-allocate-party-party::1220/m);
});

test("the profile is the target's release unless another one is given", async () => {
  const { url } = await serving(["--auth", "user", "--profile", "canton-3.4.11"]);
  const requested = ["check", "--ledger", url, "--token", "participant_admin", ...fast];
  const auto = await understudy(requested);
  expect(auto.out).toContain("Checked against canton-3.4.11 (the target is 3.4.11), registry splice-0.7.");
  expect(auto.exitCode).toBe(0);
  const named = await understudy([...requested, "--profile", "canton-3.5", "--only", "identity"]);
  expect(named.out).toContain("Checked against canton-3.5 (set by --profile),");
});

test("--ledger or --registry alone checks only that API", async () => {
  const { url } = await serving(["--auth", "user"]);
  const registry = await understudy(["check", "--registry", url, ...fast]);
  expect(registry.exitCode).toBe(0);
  expect(registry.out).toContain("Operations not observed: postV2Interactive-submissionExecuteandwait");
  expect(registry.out).toContain("Checked against splice-0.8 (the default),");
  const ledger = await understudy(["check", "--ledger", url, "--token", "participant_admin", ...fast]);
  expect(ledger.out).toContain("Operations not observed: getTransferFactory");
});

test("tokens come from the default environment variables or from those that the target file names, and are never printed", async () => {
  const url = await atPort(always(200, "application/json", '{"version":"3.5.1"}'));
  const folder = folderOf({ "t.yaml": `ledger: ${url}\ntokens: { administrator: { env: NODE_TOKEN } }\n` });
  const secret = "a-token-that-is-secret";
  const inFile = await understudy(["check", "--target", "t.yaml", "--json", ...fast], {
    folder,
    variables: { NODE_TOKEN: secret },
  });
  expect(inFile.exitCode).toBe(1);
  expect(inFile.out).toContain('"event":"verdict"');
  expect(`${inFile.out}${inFile.error}`).not.toContain(secret);
  const twin = await understudy(["check", "--ledger", url, ...fast], { variables: { UNDERSTUDY_TOKEN: secret } });
  expect(twin.out).toContain("FAIL");
  expect(`${twin.out}${twin.error}`).not.toContain(secret);
  const without = await understudy(["check", "--target", "t.yaml"], { folder });
  expect(without).toMatchObject({ exitCode: 2 });
  expect(without.error).toBe(
    "The target takes its administrator token from the environment variable NODE_TOKEN, which is not set.\n",
  );
});

test("the report names the command that repeats the check, with its seed and without tokens", async () => {
  const { url } = await serving(["--auth", "user"]);
  const folder = temporaryFolder();
  const variables = { UNDERSTUDY_TOKEN: "participant_admin", UNDERSTUDY_ONLY: "identity,users-walk,vetting-dry" };
  const requested = [
    "check",
    "--ledger",
    url,
    "--target",
    "party=a b",
    "--target",
    "tokens.plain=opaque",
    "--target",
    "hooks.beginReassignment=opaque secret",
    "--target",
    'hooks={"createPreapproval":"opaque secret"}',
    "--target",
    'tokens={"expired":"opaque"}',
    "--rate=999",
  ];
  const first = await understudy([...requested, "--report", "first.json"], { folder, variables });
  const [, repeat = ""] = /^Repeat: (.*)$/m.exec(first.out) ?? [];
  expect(repeat.replace(/--seed [0-9a-f]{8}$/, "--seed …")).toBe(
    `understudy check --ledger ${url} --target "party=a b" --only identity,users-walk,vetting-dry --rate 999 --seed …`,
  );
  const words = repeat.split(" --").map((part) => part.split(" ").map((word) => word.replaceAll('"', "")));
  const [, ...flags] = words.map(([name = "", ...value]) => [`--${name}`, value.join(" ")]);
  const again = await understudy(["check", ...flags.flat(), "--report", "again.json"], {
    folder,
    variables: { UNDERSTUDY_TOKEN: "participant_admin" },
  });
  expect(again.exitCode).toBe(first.exitCode);
  const withoutTimes = (file: string) =>
    readFileSync(join(folder, file), "utf8").replaceAll(/("responseTimeMs": |"\w+ \d+": )\d+/g, "$1");
  expect(withoutTimes("again.json")).toBe(withoutTimes("first.json"));
});

test("all problems in a target file are reported with file and line", async () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, "t.yaml"),
    "ledger: http://127.0.0.1:7575\ntokenz: {}\nhooks:\n  beginReasignment: x\nuser: 5\n",
  );
  const { error, exitCode } = await understudy(["check", "--target", "t.yaml"], { folder });
  expect(exitCode).toBe(2);
  expect(error).toContain('t.yaml:2:1: the file has the unknown member "tokenz". Did you mean "tokens"?');
  expect(error).toContain(
    't.yaml:4:3: hooks has the unknown member "beginReasignment". Did you mean "beginReassignment"?',
  );
  expect(error).toContain("t.yaml:5:7: user is 5, which is not a string. Put it in quotes.");
  expect((await understudy(["validate", quickstart])).out).toContain("quickstart.target.yaml: valid");
  writeFileSync(join(folder, "t.yaml"), "user: x\nregistry: localhost:7575\n");
  expect((await understudy(["check", "--target", "t.yaml"], { folder })).error).toBe(
    "t.yaml:2:11: registry localhost:7575 has neither http:// nor https://: write http://localhost:7575. Correct the base URL.\n",
  );
});

test.each([
  ["--ledger ftp://h", "is not an http or https URL"],
  ["--ledger http://a:b@h", "contains credentials"],
  [`--ledger ${closedPort} x.har`, "check takes recordings or a live target, not both."],
  [
    "x.har --writes",
    "--writes applies to a live target (--ledger URL, --registry URL), not to recordings. Remove --writes.",
  ],
  ["x.har --only users-", "--only applies to a live target"],
  [`--ledger ${closedPort} --exclusive`, "--exclusive applies to recordings"],
  [`--ledger ${closedPort} --ledger ${closedPort}`, "--ledger is given twice. It takes one value"],
  ["--list-probes x.har", "--list-probes takes no recordings. Remove them."],
  [`--target ${quickstart} --only user-walk`, 'There is no probe "user-walk". Did you mean "users-walk"?'],
  [`--ledger ${closedPort} --shard 3/2`, "--shard 3/2: not a valid shard"],
  [["--ledger", closedPort, "--seed", "a b"], "--seed a b: not a valid seed. Use 1 to 24 letters"],
  [`--ledger ${closedPort} --rate 0`, "--rate 0: not a valid number"],
  [`--ledger ${closedPort} --rate 1e9`, "below 1000000000, such as 20 or 0.5."],
  ["fixtures", "fixtures is a folder. Name a file in it."],
  ["--target fixtures", "fixtures is a folder. Name a file in it."],
  [
    `--ledger ${closedPort} --target hooks.beginReasignment=x`,
    '--target.hooks has the unknown member "beginReasignment". Did you mean "beginReassignment"?',
  ],
  [`--ledger ${closedPort} --target prty=x`, '--target has the unknown member "prty". Did you mean "party"?'],
  [`--ledger ${closedPort} --target party=a --target party=b`, "--target party=b: party is given twice."],
  [`--ledger ${closedPort} --target party=`, "--target party=: needs a value."],
  [`--ledger ${closedPort} --target instrument.id=x`, '--target.instrument has no member "admin"'],
  [`--target ${quickstart} --target a.yaml`, `--target ${quickstart} and --target a.yaml are two targets. Name one.`],
  [`--ledger ${closedPort} --profile canton-9`, "--profile canton-9: unknown value."],
  [`--ledger ${closedPort} --party x`, "understudy check has no flag --party. Use --target party=ID."],
  [["--ledger", closedPort, "--token", "a\tb"], "has characters that a bearer token cannot have"],
  [`--ledger ${closedPort} --target preparedTransactions=[{}]`, 'has no member "preparedTransaction"'],
])("refuses check %j", (words, problem) =>
  expectRefusal(["check", ...(typeof words === "string" ? words.split(" ") : words)], problem),
);

test("an unreachable target ends with exit code 3 and one sentence", async () => {
  const { error, out, exitCode } = await understudy(["check", "--ledger", closedPort, "--token", "t"]);
  expect({ out, exitCode }).toEqual({ out: "", exitCode: 3 });
  expect(error).toBe(
    "http://127.0.0.1:1 cannot be reached (ECONNREFUSED). Check the URL and that the ledger is running.\n",
  );
});

test("a probe with a failing hook is skipped; the reason has the last line of the hook's output and its exit code", async () => {
  const { url } = await serving(["--auth", "user"]);
  const requested = ["check", "--target", quickstart, "--ledger", url, "--registry", url, "--writes", ...fast];
  const only = (probes: string, hook: string) =>
    understudy([...requested, "--only", probes, "--timeout", "3", "--target", `hooks.beginReassignment=${hook}`]);
  const ran = await only("lookup-reassignment,lookup-self", "echo first >&2; echo no way >&2; exit 3");
  expect(ran.out).toContain(
    "skipped, the hook beginReassignment failed: no way (it ended with exit code 3): lookup-reassignment",
  );
  const late = await only("lookup-reassignment", "sleep 60");
  expect(`${late.out}${late.error}`).toContain("the hook beginReassignment failed: it took longer than 3 seconds");
});

test("the reason for a failing Node script is its error, without the version of Node", async () => {
  const { url } = await serving(["--auth", "user"]);
  const requested = ["check", "--registry", url, "--writes", "--only", "lookup-preapproval,lookup-self", ...fast];
  const outputOf = async (command: string) =>
    (
      await understudy([
        ...requested,
        "--target",
        `hooks.createPreapproval=${command}`,
        "--target",
        "hooks.archivePreapproval=true",
      ])
    ).out;
  expect(await outputOf("node -e 'throw new TypeError(\"no such party\")'")).toContain(
    "the hook createPreapproval failed: TypeError: no such party (it ended with exit code 1): lookup-preapproval",
  );
  const missing = await outputOf("node hooks/none.mjs");
  expect(missing).toContain("the hook createPreapproval failed: Error: Cannot find module ");
  expect(missing).toContain(`; paths in "node hooks/none.mjs" are relative to ${process.cwd()}`);
});

test("tokens in the output of a failing hook are redacted", async () => {
  const { url } = await serving(["--auth", "user"]);
  const file = join(temporaryFolder(), "report.json");
  const requested = ["check", "--registry", url, "--writes", "--only", "lookup-preapproval,lookup-self", ...fast];
  const hook = "createPreapproval=echo 'refused: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln' >&2; exit 3";
  const ran = await understudy([
    ...requested,
    "--target",
    `hooks.${hook}`,
    "--target",
    "hooks.archivePreapproval=true",
    "--report",
    file,
  ]);
  expect(ran.out).toContain(
    "the hook createPreapproval failed: refused: Bearer [redacted] (it ended with exit code 3)",
  );
  expect(`${ran.out}${ran.error}${readFileSync(file, "utf8")}`).not.toContain("eyJ");
});

test("hooks receive the step's variables and the base URLs", async () => {
  const { url } = await serving(["--auth", "user"]);
  const file = join(temporaryFolder(), "out");
  const hook = `printf '%s %s %s' "$UNDERSTUDY_RECEIVER" "$UNDERSTUDY_REGISTRY" "\${UNDERSTUDY_LEDGER-none}" > ${file}`;
  const requested = `check --registry ${url} --writes --only lookup-preapproval --target receiver=r::1220ab ${speed}`;
  await understudy([
    ...requested.split(" "),
    "--target",
    `hooks.createPreapproval=${hook}`,
    "--target",
    "hooks.archivePreapproval=true",
  ]);
  expect(readFileSync(file, "utf8")).toBe(`r::1220ab ${url} none`);
});

test("--only takes prefixes of ids, --shard runs a part of the probes, and --list-probes lists all", async () => {
  const { url } = await serving(["--auth", "user"]);
  const probesOf = async (...words: string[]) => {
    const target = ["--ledger", url, "--registry", url, "--token", "participant_admin"];
    const { out } = await understudy(["check", ...target, ...words, ...fast]);
    const [run = 0, skipped = 0] = (/^Probes: (\d+) run, (\d+) skipped\.$/m.exec(out) ?? []).slice(1).map(Number);
    return [run, run + skipped];
  };
  expect(await probesOf("--only", "token-missing,users-")).toEqual([3, 3]);
  const [first = [], second = []] = [await probesOf("--shard", "1/2"), await probesOf("--shard", "2/2")];
  const list = (await understudy(["check", "--list-probes"])).out.trim().split("\n");
  expect((first[1] ?? 0) + (second[1] ?? 0)).toBe(list.length);
  expect(list.find((line) => line.startsWith("execute-prepared"))).toContain("destructive");
});

test("--list-probes lists the probes that --only selects, also as JSON", async () => {
  const lines = async (...words: string[]) =>
    (await understudy(["check", "--list-probes", "--only", "users-", ...words])).out.trim().split("\n");
  expect((await lines()).map((line) => line.split(" ")[0])).toEqual(["users-bad-query", "users-walk"]);
  const [first = ""] = await lines("--json");
  expect(JSON.parse(first)).toMatchObject({ event: "probe", id: "users-bad-query", safety: "safe" });
});

test("recordings on the command line take precedence over a target in the environment", async () => {
  const variables = { UNDERSTUDY_LEDGER: closedPort, UNDERSTUDY_ONLY: "users-" };
  const { error, exitCode } = await understudy(["check", "none.har"], { variables });
  expect(error).toContain("File not found: none.har.");
  expect(exitCode).toBe(2);
  expect(await understudy(["check"], { variables })).toMatchObject({ exitCode: 3 });
});

async function requestsOf(url: string): Promise<number> {
  const response = await fetch(`${url}/__understudy/worlds`);
  return Number(/"requests":(\d+)/.exec(await response.text())?.[1]);
}

test("Ctrl-C ends the check with a report of the results so far and exit code 130", async () => {
  const { url } = await serving(["--auth", "user"]);
  const command = started(["check", "--ledger", url, "--token", "participant_admin", "--rate", "5", "--seed", "t"]);
  while ((await requestsOf(url)) < 12);
  command.stop();
  const { exitCode, out } = await command.ended;
  expect(exitCode).toBe(130);
  expect(out).toMatch(/\d+ exchanges: \d+ passed, .*0 failed/);
  expect(out).toContain("skipped, interrupted: ");
  expect(out).toMatch(/\nThe check found no violation, and is incomplete: It was interrupted before/);
});

test("a check fails if nothing of a given API could be checked", async () => {
  const url = await atPort(always(404, "application/json", '{"error":"not found"}'));
  const { url: stub } = await serving(["--auth", "user"]);
  const file = join(temporaryFolder(), "report.json");
  const alone = await understudy(["check", "--registry", url, ...fast, "--report", file]);
  expect(alone.out).toContain(
    "The check is inconclusive: the registry was not checked: it returned only 404. Check its base URL.",
  );
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
    isFailed: false,
    isComplete: false,
    probing: { inconclusive: [{ subject: "the registry" }] },
  });
  const part = await understudy(["check", "--registry", url, ...fast, "--shard", "1/2"]);
  const requested = ["check", "--ledger", stub, "--token", "participant_admin", "--registry", url, ...fast];
  const beside = await understudy([...requested, "--only", "identity,lookup-direct"]);
  expect(beside.out).toContain(
    "the registry was not checked: all its probes were skipped: needs instrument (--target instrument.admin=PARTY and instrument.id=ID) and preapprovedReceiver",
  );
  expect([alone.exitCode, part.exitCode, beside.exitCode]).toEqual([5, 0, 5]);
});

test("a check without a token is inconclusive and names the token, unless --require names less", async () => {
  const { url } = await serving(["--auth", "user", "--profile", "canton-3.5"]);
  const requested = ["check", "--ledger", url, ...fast];
  const none = await understudy(requested);
  expect(none.exitCode).toBe(5);
  expect(none.out).toContain(
    "getV2PackagesPackage-idStatus, getV2Users, getV2Idps were not checked: no success, only 400, 401, 403; needs administratorToken (UNDERSTUDY_TOKEN or --token).",
  );
  expect(none.out).toMatch(
    /more than half of the target was not checked: \d+ of the \d+ probes that the flags allow were skipped/,
  );
  const known = [...requested, "--token", "participant_admin"];
  expect(await understudy(known)).toMatchObject({ exitCode: 0 });
  expect(await understudy([...known, "--require", "getV2Users,getV2Idps"])).toMatchObject({ exitCode: 0 });
  const all = await understudy([...known, "--require", "all"]);
  expect(all.exitCode).toBe(5);
  expect(all.out).toMatch(
    /patchV2UsersUser-id was not checked: no success, only [\d, ]+; changes the target \(allow with --writes\)\./,
  );
  const allowed = await understudy([...known, "--destructive"]);
  expect(allowed.out).toContain("needs preparedTransactions (preparedTransactions in a target file");
});

test("--fail-on fails a check for skipped probes, warnings or known divergences", async () => {
  const { url } = await serving(["--auth", "user", "--profile", "canton-3.5"]);
  const requested = ["check", "--ledger", url, "--token", "participant_admin", ...fast];
  const failing = async (kinds: string) => {
    const ran = await understudy([...requested, "--fail-on", kinds]);
    return `${ran.exitCode} ${ran.out.split("\n").findLast((line) => line.startsWith("The check"))}`;
  };
  expect(await failing("warning")).toMatch(/^1 The check fails: 8 kinds of warning\.$/);
  expect(await failing("known")).toMatch(/^1 The check fails: \d+ known divergences\.$/);
  expect(await failing("skipped,known")).toMatch(
    /^1 The check fails: \d+ skipped probes, and \d+ known divergences\.$/,
  );
  const unknown = await understudy([...requested, "--fail-on", "warnings"]);
  expect(unknown).toMatchObject({ exitCode: 2, out: "" });
  expect(unknown.error).toContain("--fail-on warnings: unknown value. ");
  const recording = join(root, "test/recordings/firefox.har");
  const recorded = await understudy(["check", recording, "--require", "getV2Idps,getTransferFactory"]);
  expect([
    recorded.exitCode,
    recorded.out.includes("getTransferFactory was not checked: no success, only 400."),
  ]).toEqual([5, true]);
});

test("a check in which no probe can run has no verdict", async () => {
  const { url } = await serving(["--auth", "user"]);
  const ran = await understudy(["check", "--ledger", url, "--only", "grant-rights", ...fast]);
  expect(ran).toMatchObject({ exitCode: 5, out: "" });
  expect(ran.error).toContain(
    "Nothing to check: no probe could run.\n  changes the target (allow with --writes): grant-rights",
  );
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Ran, root, serving, temporaryFolder, understudy } from "./_command-line.ts";
import { main, start, understudyProcess } from "./_process.ts";

const paging = readFileSync(join(root, "fixtures/ledgers/paging.yaml"), "utf8");
const fewer = paging.replace(/ {2}- \{ id: user-0\d \}\n/g, "");

/** Runs `understudy` in a shell with limits or a redirection. */
async function inShell(limits: string, redirection: string, words: readonly string[], folder: string): Promise<Ran> {
  const line = `${limits} exec "$0" "$@" ${redirection}`;
  const child = spawn("sh", ["-c", line, process.execPath, main, ...words], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, error] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    error += String(chunk);
  });
  const [exitCode] = await once(child, "close");
  return { exitCode, out, error };
}

/** A stub that watches a scenario and a fixture. */
async function watching() {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "fixtures"));
  const fixture = join(folder, "fixtures", "ledger.yaml");
  writeFileSync(fixture, paging);
  const scenario = readFileSync(join(root, "scenarios/paging.arazzo.yaml"), "utf8");
  const given = scenario.replace(/ledger: \S*paging\.yaml/, "ledger: fixtures/ledger.yaml");
  const registry = join(root, "fixtures/registries");
  writeFileSync(join(folder, "s.arazzo.yaml"), given.replaceAll("../fixtures/registries", registry));
  const stub = await serving(["s.arazzo.yaml", "--watch"], { folder });
  let readLength = stub.ready.length;
  return {
    folder,
    fixture,
    stub,
    printed: async (words: string) => {
      const text = await stub.printed(new RegExp(words), readLength);
      readLength += text.length;
      return text;
    },
    users: async () => {
      const response = await fetch(`${stub.url}/v2/users?pageSize=100`, { headers: { Authorization: "Bearer any" } });
      return (await response.text()).match(/"id":/g)?.length;
    },
  };
}

/** The output of the stub until it serves fewer users. It can reload more than once for a change. */
async function servesFewer({ printed, users }: Awaited<ReturnType<typeof watching>>, before = 0): Promise<string> {
  let text: string;
  do text = await printed("reloaded");
  while (Number(await users()) >= before);
  return text;
}

test("reports a removed watched file, and watches it again when it is restored", async () => {
  const stub = await watching();
  const { folder, fixture, users, printed } = stub;
  const before = await users();
  rmSync(fixture);
  expect(await printed("keeps the previous version")).toContain(
    "File not found: fixtures/ledger.yaml. Check the path; it is relative to the scenario.",
  );
  expect(await users()).toBe(before);
  writeFileSync(fixture, fewer);
  expect(await servesFewer(stub, before)).toContain("reloaded s.arazzo.yaml");
  expect(readdirSync(folder).sort()).toEqual(["fixtures", "s.arazzo.yaml"]);
});

test("--watch reloads a changed fixture, and keeps the old one if the new one is invalid", async () => {
  const { fixture, users, printed } = await watching();
  const before = await users();
  writeFileSync(fixture, "users: [");
  await printed("The stub keeps the previous version\\.");
  expect(await users()).toBe(before);
  writeFileSync(fixture, fewer);
  await printed("reloaded");
  expect(await users()).toBeLessThan(Number(before));
});

test("watches a removed folder again when it is restored", async () => {
  const stub = await watching();
  const { folder, fixture, users, printed } = stub;
  const before = await users();
  renameSync(join(folder, "fixtures"), join(folder, "away"));
  await printed("keeps the previous version");
  renameSync(join(folder, "away"), join(folder, "fixtures"));
  await printed("reloaded");
  writeFileSync(fixture, fewer);
  await servesFewer(stub, before);
});

test("watches the files that a changed scenario names, and stops watching the others", async () => {
  const stub = await watching();
  const { folder, printed, users } = stub;
  const before = await users();
  const scenario = join(folder, "s.arazzo.yaml");
  writeFileSync(join(folder, "fixtures", "other.yaml"), paging);
  writeFileSync(scenario, readFileSync(scenario, "utf8").replace("fixtures/ledger.yaml", "fixtures/other.yaml"));
  await printed("reloaded");
  expect(await users()).toBe(before);
  writeFileSync(join(folder, "fixtures", "other.yaml"), fewer);
  await servesFewer(stub, before);
});

test.concurrent.each([
  ["redact", "SIGINT"],
  ["redact", "SIGTERM"],
] as const)("%s leaves no partial file after %s", async (command, signal) => {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, [main, command, "-", "--out", "x.har"], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["pipe", "ignore", "pipe"],
  });
  let error = "";
  child.stderr.on("data", (chunk) => {
    error += String(chunk);
  });
  const ended = once(child, "close");
  const { entries } = JSON.parse(readFileSync(join(root, "test/recordings/chrome.har"), "utf8")).log;
  child.stdin.write(`{"log":{"entries":[\n${entries.map((entry: object) => JSON.stringify(entry)).join(",\n")},\n`);
  while (readdirSync(folder).length === 0) await setImmediate();
  child.kill(signal);
  expect(await ended).toEqual([130, null]);
  expect(error).toBe("Interrupted: nothing is written.\n");
  expect(readdirSync(folder)).toEqual([]);
});

test.concurrent("reports a full disk, and leaves no partial report", async () => {
  const folder = temporaryFolder();
  await understudy(["run", join(root, "scenarios/paging.arazzo.yaml"), "--out", "x.har"], { folder });
  const before = readdirSync(folder);
  const { exitCode, error } = await inShell("ulimit -f 8;", "", ["check", "x.har", "--report", "x.html"], folder);
  expect(error).toBe("x.html cannot be written (the file may not grow, EFBIG).\n");
  expect(exitCode).toBe(2);
  expect(readdirSync(folder)).toEqual(before);
});

test.concurrent("fails with a message if output cannot be written", async () => {
  const words = ["run", join(root, "scenarios/paging.arazzo.yaml")];
  const { exitCode, error } = await inShell("", "> /dev/full", words, root);
  expect(error).toBe("The output cannot be written (the disk is full, ENOSPC). What was printed is incomplete.\n");
  expect(exitCode).toBe(2);
});

test.concurrent("exits quietly when the reader closes the output early", async () => {
  const child = start(["run", "scenarios/paging.arazzo.yaml", "scenarios/rights.arazzo.yaml"]);
  let error = "";
  child.stderr?.on("data", (chunk) => {
    error += String(chunk);
  });
  child.stdout?.destroy();
  expect(await once(child, "close")).toEqual([0, null]);
  expect(error).toBe("");
});

test.concurrent("works for a user without a home directory", async () => {
  const folder = temporaryFolder();
  const code = `require("node:os").homedir = () => { throw Object.assign(new Error("no home"), { code: "ENOENT" }); };`;
  writeFileSync(join(folder, "first.cjs"), code);
  const variables = { NODE_OPTIONS: `--require=${join(folder, "first.cjs")}` };
  const ran = await understudyProcess(["run", "scenarios/paging.arazzo.yaml"], { variables });
  expect(ran).toMatchObject({ exitCode: 0, error: "" });
});

test.concurrent("works without folders for temporary files or settings", async () => {
  const variables = { HOME: "/nonexistent", TMPDIR: "/nonexistent", NODE_COMPILE_CACHE: "/nonexistent" };
  const ran = await understudyProcess(["run", "scenarios/paging.arazzo.yaml"], { variables });
  expect(ran).toMatchObject({ exitCode: 0, error: "" });
});

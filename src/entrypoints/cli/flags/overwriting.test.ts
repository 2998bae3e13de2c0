import { once } from "node:events";
import {
  closeSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { inProcess } from "../../../../test/acceptance/_command-line.ts";
import { UserError } from "../../programs/user-error.ts";
import { commands } from "../commands.ts";
import { readOptions, type Subcommand } from "../options.ts";

const folder = mkdtempSync(join(tmpdir(), "understudy-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const played = "scenarios/reassignment-by-steps.arazzo.yaml";
const seen = join(folder, "seen.har");
const exported = join(folder, "exported.har");
const report = join(folder, "report.json");
const coverage = join(folder, "coverage.json");

/** All commands and their second words. */
async function everyCommand(): Promise<readonly Subcommand[]> {
  const loaded = await Promise.all(commands.map(async ({ load, summary }) => ({ ...(await load()), summary })));
  return loaded.flatMap((command) => [command, ...(command.subcommands ?? [])]);
}

interface Ran {
  readonly exitCode: number;
  readonly problem: string;
}

/** A command without a process, until its end. */
async function run(name: string, words: readonly string[], onPrint = (): void => undefined): Promise<Ran> {
  const command = (await everyCommand()).find((known) => known.name === name);
  if (command === undefined) throw new Error(`no command ${name}`);
  const environment = { ...inProcess, print: onPrint };
  try {
    return { exitCode: await command.run(readOptions(command, words, environment), environment), problem: "" };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { exitCode: error.exitCode, problem: error.message };
  }
}

beforeAll(async () => {
  await run("run", [played, "--profile", "canton-3.5", "--out", seen]);
  await run("check", [seen, "--report", report]);
  await run("export", [played, "--to", "har", "--out", exported]);
  const profile = { ledger: "spec", registry: "spec" };
  const counts = { profile, exchanges: 1, unmatched: 1, operations: {}, clientRules: {} };
  writeFileSync(coverage, JSON.stringify({ version: 1, counts: [counts] }));
});

test("every command that writes files takes --force", async () => {
  const writing = (await everyCommand()).filter(({ flags }) => flags.some(({ name }) => /^(?:out|report)$/.test(name)));
  expect(writing.map(({ name }) => name).sort()).toEqual([
    "check",
    "check coverage",
    "check merge",
    "export",
    "generate",
    "import",
    "pact write",
    "record",
    "redact",
    "run",
  ]);
  for (const { flags } of writing) expect(flags.map((flag) => flag.name)).toContain("force");
});

/** Commands with the file that they write; OUT is its path in the arguments. */
const written: readonly (readonly [command: string, file: string, words: readonly string[]])[] = [
  ["run", "a.har", [played, "--profile", "spec", "--out", "OUT"]],
  ["check", "a.sarif", [seen, "--report", "OUT"]],
  ["check merge", "b.md", [report, "--report", "OUT"]],
  ["check coverage", "h.html", [coverage, "--report", "OUT"]],
  ["redact", "c.har", [seen, "--out", "OUT"]],
  ["import", "d.yaml", [exported, "--registry-only", "--out", "OUT"]],
  ["import", "e.arazzo.yaml", [exported, "--out", "OUT"]],
  ["export", "f.md", [played, "--out", "OUT"]],
  ["pact write", "g.json", [played, "--out", "OUT"]],
];

test.each(written)("%s keeps an existing file, and replaces it with --force", async (command, name, words) => {
  const file = join(folder, name);
  const requested = words.map((word) => (word === "OUT" ? file : word));
  writeFileSync(file, "mine");
  expect(await run(command, requested)).toEqual({
    exitCode: 2,
    problem: `${file} exists. Write elsewhere, or replace it with --force.`,
  });
  expect(readFileSync(file, "utf8")).toBe("mine");
  const forced = await run(command, [...requested, "--force"]);
  expect(forced.problem).toBe("");
  expect(readFileSync(file, "utf8").length).toBeGreaterThan(100);
  expect(readdirSync(folder).filter((other) => other.includes(".part-"))).toEqual([]);
});

test("generate keeps existing files, and replaces them with --force", async () => {
  const sizes = ["fixtures", "--count", "users=5", "--count", "parties=2", "--out", folder];
  writeFileSync(join(folder, "ledger.json"), "mine");
  const kept = await run("generate", sizes);
  expect(kept.exitCode).toBe(2);
  expect(kept.problem).toMatch(/exists\. Write elsewhere, or replace it with --force\.$/);
  expect(readFileSync(join(folder, "ledger.json"), "utf8")).toBe("mine");
  expect((await run("generate", [...sizes, "--force"])).exitCode).toBe(0);
});

test.each([
  ["package.json", '{ "name": "understudy", "scripts": { "ci": "understudy check x.har" } }'],
  ["notes.md", "# Notes\n\n## ✅ understudy check\n"],
  ["other.xml", '<?xml version="1.0"?>\n<testsuites name="mine" of="understudy check"/>'],
  ["page.html", "<!doctype html>\n<p>understudy check: a page</p>"],
  ["theirs.sarif", '{ "version": "2.1.0", "runs": [{ "tool": { "driver": { "name": "understudy" } } }] }'],
])("keeps a file that only resembles a report: %s", async (name, text) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  expect((await run("check", [seen, "--report", file])).problem).toContain("exists. Write elsewhere");
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("a report does not replace a file that is created while the check runs", async () => {
  const file = join(folder, "late.md");
  const ran = await run("check", [seen, "--report", file], () => writeFileSync(file, "mine"));
  expect(ran.problem).toContain("exists. Write elsewhere");
  expect(readFileSync(file, "utf8")).toBe("mine");
});

test("a dangling symbolic link is an existing file", async () => {
  const file = join(folder, "link.har");
  symlinkSync("/nonexistent/x", file);
  expect((await run("run", [played, "--out", file])).problem).toContain("exists. Write elsewhere");
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
});

test("never replaces a device or a socket, not even with --force", async () => {
  const [device, socket] = [join(folder, "device"), join(folder, "socket")];
  symlinkSync("/dev/null", device);
  const server = createServer().listen(socket);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  for (const file of [device, socket])
    expect((await run("run", [played, "--out", file, "--force"])).problem).toContain("it is not a regular file");
});

test("never replaces a link to an open file of the process, as /dev/stdout is", async () => {
  const [file, link, second] = [join(folder, "open"), join(folder, "stdout"), join(folder, "stdout-2")];
  const descriptor = openSync(file, "w");
  onTestFinished(() => closeSync(descriptor));
  symlinkSync(`/dev/fd/${descriptor}`, link);
  symlinkSync(link, second);
  for (const name of [link, second]) {
    const ran = await run("run", [played, "--out", name, "--force"]);
    expect(ran).toEqual({
      exitCode: 2,
      problem: `${name} cannot be written: it is not a regular file. Name a new file.`,
    });
    expect(lstatSync(name).isSymbolicLink()).toBe(true);
  }
});

test("a lock file of another program is not removed", async () => {
  const lock = join(folder, "yarn.lock");
  writeFileSync(lock, "# yarn lockfile v1\n");
  const words = ["--ledger", "http://127.0.0.1:1", "--port", "0", "--out", join(folder, "yarn")];
  expect((await run("record", words)).problem).toContain("yarn.lock exists and is not the lock file of a recorder");
  expect(readFileSync(lock, "utf8")).toBe("# yarn lockfile v1\n");
});

test.each(["json", "sarif", "xml", "md", "html"])("a report of an earlier run is replaced, as .%s", async (ending) => {
  const file = join(folder, `again.${ending}`);
  expect((await run("check", [seen, "--report", file])).problem).toBe("");
  const first = readFileSync(file, "utf8");
  expect(await run("check", [seen, "--report", file])).toEqual({ exitCode: 0, problem: "" });
  expect(readFileSync(file, "utf8")).toBe(first);
});

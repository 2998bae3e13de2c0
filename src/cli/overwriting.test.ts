import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commands } from "./commands.ts";
import { readOptions, type Subcommand } from "./options.ts";
import { UserError } from "./user-error.ts";

const folder = mkdtempSync(join(tmpdir(), "understudy-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const played = "scenarios/reassignment-by-steps.arazzo.yaml";
const seen = join(folder, "seen.har");
const exported = join(folder, "exported.har");
const report = join(folder, "report.json");

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
async function run(name: string, words: readonly string[]): Promise<Ran> {
  const command = (await everyCommand()).find((known) => known.name === name);
  if (command === undefined) throw new Error(`no command ${name}`);
  const environment = {
    variables: {},
    isColoured: false,
    print: () => undefined,
    printError: () => undefined,
    progress: () => undefined,
    stopped: () => new Promise<void>(() => undefined),
  };
  try {
    return { exitCode: await command.run(readOptions(command, words, {}), environment), problem: "" };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { exitCode: error.exitCode, problem: error.message };
  }
}

beforeAll(async () => {
  await run("run", [played, "--profile", "canton-3.5", "--out", seen]);
  await run("check", [seen, "--report", report]);
  await run("export", [played, "--to", "har", "--out", exported]);
});

test("every command that writes files for its user takes --force", async () => {
  const writing = (await everyCommand()).filter(({ flags }) => flags.some(({ name }) => /^(?:out|report)$/.test(name)));
  expect(writing.map(({ name }) => name).sort()).toEqual([
    "check",
    "explore",
    "export",
    "fixture",
    "generate",
    "merge",
    "pact write",
    "record",
    "run",
    "scenario",
    "scrub",
  ]);
  for (const { flags } of writing) expect(flags.map((flag) => flag.name)).toContain("force");
});

/** What a command would write, by the name of the file; OUT stands for it in the words. */
const written: readonly (readonly [command: string, file: string, words: readonly string[]])[] = [
  ["run", "a.har", [played, "--profile", "document", "--out", "OUT"]],
  ["check", "a.sarif", [seen, "--report", "OUT"]],
  ["merge", "b.md", [report, "--report", "OUT"]],
  ["scrub", "c.har", [seen, "--out", "OUT"]],
  ["fixture", "d.yaml", [exported, "--out", "OUT"]],
  ["scenario", "e.arazzo.yaml", [exported, "--out", "OUT"]],
  ["export", "f.md", [played, "--out", "OUT"]],
  ["pact write", "g.json", [played, "--out", "OUT"]],
];

test.each(written)("%s keeps a file that is there, and replaces it with --force", async (command, name, words) => {
  const file = join(folder, name);
  const asked = words.map((word) => (word === "OUT" ? file : word));
  writeFileSync(file, "mine");
  expect(await run(command, asked)).toEqual({
    exitCode: 2,
    problem: `${file} exists. Write elsewhere, or replace it with --force.`,
  });
  expect(readFileSync(file, "utf8")).toBe("mine");
  const forced = await run(command, [...asked, "--force"]);
  expect(forced.problem).toBe("");
  expect(readFileSync(file, "utf8").length).toBeGreaterThan(100);
  expect(readdirSync(folder).filter((other) => other.includes(".part-"))).toEqual([]);
});

test("generate keeps files that are there, and replaces them with --force", async () => {
  const sizes = ["fixtures", "--users", "5", "--parties", "2", "--out", folder];
  writeFileSync(join(folder, "ledger.json"), "mine");
  const kept = await run("generate", sizes);
  expect(kept.exitCode).toBe(2);
  expect(kept.problem).toMatch(/exists\. Write elsewhere, or replace it with --force\.$/);
  expect(readFileSync(join(folder, "ledger.json"), "utf8")).toBe("mine");
  expect((await run("generate", [...sizes, "--force"])).exitCode).toBe(0);
});

test.each(["json", "sarif", "xml", "md", "html"])("a report of the last run is replaced, as .%s", async (ending) => {
  const file = join(folder, `again.${ending}`);
  expect((await run("check", [seen, "--report", file])).problem).toBe("");
  const first = readFileSync(file, "utf8");
  expect(await run("check", [seen, "--report", file])).toEqual({ exitCode: 0, problem: "" });
  expect(readFileSync(file, "utf8")).toBe(first);
});

import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { root, temporaryFolder } from "./_command-line.ts";
import { follow, stepsOf } from "./_guide.ts";

const bin = join(root, "node_modules/.bin");
const program = `
import { createUnderstudy, type LedgerPaths, startUnderstudy, type Understudy } from "canton-understudy";
type Page = LedgerPaths["/v2/users"]["get"]["responses"][200]["content"]["application/json"];
const headers = { Authorization: "Bearer any" };
await using served: Understudy = await startUnderstudy();
const page = (await (await fetch(served.ledgerUrl + "/v2/users", { headers })).json()) as Page;
const fork = served.fork();
const inProcess = createUnderstudy({ profile: "canton-3.5", seed: 3 });
const answer = await inProcess.fetch(inProcess.ledgerUrl + "/v2/idps", { headers });
console.log(page.users?.length, fork.ledgerUrl.endsWith("/w/fork-1"), answer.status, served.journal.length);
`;

let packed = "";

beforeAll(() => {
  const folder = temporaryFolder();
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root, stdio: "pipe" });
  packed = join(folder, readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "");
}, 120_000);

test("works in an empty project: library, types, command, schemas", { timeout: 120_000 }, () => {
  const folder = temporaryFolder();
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  const runIn = (file: string, ...words: readonly string[]) =>
    execFileSync(file, words, { cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const compileIn = (...words: readonly string[]) => {
    const { stdout, status } = spawnSync(join(bin, "tsc"), words, { cwd: folder, env, encoding: "utf8" });
    return status === 0 ? "" : stdout;
  };
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  runIn("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", packed);
  writeFileSync(join(folder, "program.ts"), program);
  expect(runIn(process.execPath, "program.ts")).toBe("6 true 200 1\n");

  linkTypes(folder);
  copyFileSync(join(root, "test/types/library.ts"), join(folder, "types.ts"));
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024"];
  const lib = ["--lib", "es2024,esnext.disposable,dom"];
  expect(compileIn(...flags, ...lib, "program.ts", "types.ts")).toBe("");

  const command = join(folder, "node_modules/.bin/understudy");
  expect(runIn(command, "--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
  const scenario = "node_modules/canton-understudy/scenarios/quickstart.arazzo.yaml";
  expect(runIn(command, "run", scenario)).toMatch(/^passed .*\(document\): 1 of 1 steps/);
  runIn(command, "run", scenario, "--out", "recorded.har");
  // An entry a line, which threads can share out.
  runIn(command, "scrub", "recorded.har", "--out", "lines.har");
  const judged = ["1", "2"].map((workers) => runIn(command, "check", "lines.har", "--workers", workers));
  expect(judged[1]).toBe(judged[0]);
  expect(readdirSync(join(folder, "node_modules/canton-understudy/schemas"))).toHaveLength(7);
});

/** The machine's own variables, without what the commands around this test have set for themselves. */
const ownVariables =
  /^(?:npm_(?!config_)|npm_config_(?:local_)?prefix$|INIT_CWD|VITEST|NODE_ENV|NODE_COMPILE_CACHE|TEST)/;
const userEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ownVariables.test(name))),
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_prefer_offline: "true",
  npm_config_update_notifier: "false",
  NO_COLOR: "1",
  PACT_DO_NOT_TRACK: "true",
};

test.concurrent.each([
  ["consumer-tests.md", 7],
  ["reassignment-window.md", 8],
  ["pact.md", 8],
  ["check-in-ci.md", 16],
  ["recording.md", 22],
] as const)(
  "docs/%s can be followed word by word from an empty folder",
  { timeout: 240_000 },
  async (page, commands) => {
    const steps = stepsOf(readFileSync(join(root, "docs", page), "utf8"));
    const followed = await follow(steps, temporaryFolder(), { packed, env: userEnv });
    expect(followed.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    expect(followed).toHaveLength(commands);
  },
);

const examples = ["jest", "msw", "node-test", "pact", "vitest"];

test("every example is tried", () => {
  const folders = readdirSync(join(root, "examples"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  // What `scale` holds is tried where its guide is.
  expect(folders.map(({ name }) => name).sort()).toEqual([...examples, "scale"].sort());
});

test.concurrent.each(examples)("examples/%s passes its own tests", { timeout: 240_000 }, async (example) => {
  const folder = temporaryFolder();
  cpSync(join(root, "examples", example), folder, { recursive: true });
  cpSync(packed, join(folder, "canton-understudy.tgz"));
  const commands = ["npm install", "npm test"].map(
    (command) => ({ type: "command", line: 0, command, printed: undefined }) as const,
  );
  const followed = await follow(commands, folder, { packed, env: userEnv });
  expect(followed.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  expect(followed).toHaveLength(2);
});

/** What the project has of those whose types the entry points mention; the package itself asks for none of them. */
function linkTypes(folder: string): void {
  for (const name of ["@types/node", "undici-types", "vitest", "msw"]) {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
}

import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { root, temporaryFolder } from "./_command-line.ts";

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

test("the packed package works in an empty project: library, types, command, schemas", { timeout: 120_000 }, () => {
  const folder = temporaryFolder();
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  const runIn = (file: string, ...words: readonly string[]) =>
    execFileSync(file, words, { cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const compileIn = (...words: readonly string[]) => {
    const { stdout, status } = spawnSync(join(bin, "tsc"), words, { cwd: folder, env, encoding: "utf8" });
    return status === 0 ? "" : stdout;
  };
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root, env, stdio: "pipe" });
  const packed = readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "";
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  runIn("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", `./${packed}`);
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
  expect(readdirSync(join(folder, "node_modules/canton-understudy/schemas"))).toHaveLength(7);
});

/** What the project has of those whose types the entry points mention; the package itself asks for none of them. */
function linkTypes(folder: string): void {
  for (const name of ["@types/node", "undici-types", "vitest", "msw"]) {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
}

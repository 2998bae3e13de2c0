import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { startUnderstudy } from "../../src/index.ts";
import { root, temporaryFolder } from "./_command-line.ts";

interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const text = readFileSync(join(root, "action.yml"), "utf8");
const action: Action = parse(text);
const scripts = action.runs.steps.filter(({ run }) => run !== undefined);

test("scripts receive inputs only as environment variables, so an input cannot inject code", () => {
  expect(scripts.map(({ run, shell }) => [shell, run?.includes("${{")])).toEqual(scripts.map(() => ["bash", false]));
  expect(scripts.map(({ name }) => name)).toEqual(["Install", "Check", "Verdict"]);
  const used = [...text.matchAll(/inputs\.([\w-]+)/g)].map(([, name = ""]) => name);
  expect(new Set(used)).toEqual(new Set(Object.keys(action.inputs)));
  const named = action.runs.steps.flatMap(({ uses }) => uses ?? []);
  expect(named.filter((uses) => !/^(?:actions|github)\/[\w/-]+@v\d+$/.test(uses))).toEqual([]);
});

/** Runs scripts as a runner of GitHub does, in its own folder. */
function runnerIn(folder: string) {
  const paths = {
    GITHUB_ACTION_PATH: join(folder, "action"),
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
    RUNNER_TEMP: join(folder, "temp"),
  };
  const [workspace, bin] = [join(folder, "workspace"), join(folder, "bin")];
  for (const path of [paths.RUNNER_TEMP, workspace, bin]) mkdirSync(path);
  // Records the arguments of each call: other users of the machine can see them.
  writeFileSync(
    join(bin, "node"),
    `#!/bin/bash\nprintf '%s\\n' "$@" >> '${folder}/words'\nexec '${process.execPath}' "$@"\n`,
  );
  chmodSync(join(bin, "node"), 0o755);
  const PATH = `${bin}:${process.env["PATH"]}`;
  const env = { ...process.env, npm_config_prefer_offline: "true", ...paths, PATH };
  const textOf = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");
  return {
    workspace,
    words: () => textOf(join(folder, "words")).split("\n"),
    /** Runs a step with these inputs, after steps that gave these outputs. */
    async run(name: string, inputs: Readonly<Record<string, string>>, before: Readonly<Record<string, string>> = {}) {
      for (const file of [paths.GITHUB_OUTPUT, paths.GITHUB_STEP_SUMMARY, join(folder, "words")])
        writeFileSync(file, "");
      const step = scripts.find((script) => script.name === name);
      const values = Object.entries(step?.env ?? {}).map(([variable, expression]) => {
        const [, from, key = ""] = /^\$\{\{ (inputs|steps\.check\.outputs)\.([\w-]+) \}\}$/.exec(expression) ?? [];
        if (from === undefined) throw new Error(`${expression} is more than this runner knows`);
        return [variable, from === "inputs" ? (inputs[key] ?? action.inputs[key]?.default ?? "") : (before[key] ?? "")];
      });
      writeFileSync(join(folder, "script.sh"), step?.run ?? "exit 99");
      const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", join(folder, "script.sh")], {
        cwd: workspace,
        env: { ...env, ...Object.fromEntries(values) },
        stdio: ["ignore", "pipe", "inherit"],
      });
      let out = "";
      child.stdout.on("data", (chunk) => {
        out += String(chunk);
      });
      const [exitCode] = await once(child, "close");
      const outputs = Object.fromEntries(
        textOf(paths.GITHUB_OUTPUT)
          .split("\n")
          .flatMap((line) => (line === "" ? [] : [line.split("=")])),
      );
      return { exitCode, out, outputs, summary: textOf(paths.GITHUB_STEP_SUMMARY) };
    },
  };
}

test("checks a target and recordings, and gives an exit code, outputs, a summary and reports", async () => {
  const folder = temporaryFolder();
  const runner = runnerIn(folder);
  const checkout = ["package.json", "package-lock.json", "src", "contracts", "schemas", "fixtures", "scenarios"];
  for (const path of checkout) cpSync(join(root, path), join(folder, "action", path), { recursive: true });
  expect(await runner.run("Install", {})).toMatchObject({ exitCode: 0 });

  await using stub = await startUnderstudy({ profile: "canton-3.5", auth: "user" });
  const target = { ledger: stub.ledgerUrl, registry: stub.registryUrl, token: "participant_admin" };
  const fast = { ...target, flags: "--rate=1000\n--seed=ci" };
  const green = await runner.run("Check", fast);
  expect(green).toMatchObject({ exitCode: 0, outputs: { "exit-code": "0", verdict: "passed" } });
  expect(runner.words()).toContain(`--ledger=${stub.ledgerUrl}`);
  expect(runner.words().join(" ")).not.toContain("participant_admin");
  expect(green.summary).toContain("The check passes");
  expect(green.outputs["sarif"]).toBe(join(green.outputs["reports"] ?? "", "verdict.sarif"));
  expect(readdirSync(green.outputs["reports"] ?? "").sort()).toEqual([
    "problems.txt",
    ...["html", "json", "md", "sarif", "xml"].map((form) => `verdict.${form}`),
  ]);
  const [, resume = ""] = /^::stop-commands::(.+)$/m.exec(green.out) ?? [];
  expect(green.out.endsWith(`\n::${resume}::\n`)).toBe(true);
  expect(await runner.run("Verdict", {}, green.outputs)).toMatchObject({ exitCode: 0 });
  expect(await runner.run("Verdict", {}, {})).toMatchObject({ exitCode: 4 });

  stub.fault("getV2Idps", { instead: { status: 200, body: { identityProviderConfigs: 5 } }, times: 100 });
  const red = await runner.run("Check", fast);
  expect(red).toMatchObject({ exitCode: 0, outputs: { "exit-code": "1", verdict: "failed" } });
  expect(red.summary).toContain("The check fails");
  expect(await runner.run("Verdict", {}, red.outputs)).toMatchObject({ exitCode: 1 });

  const hostile = 'x"; touch taken; $(touch taken) `touch taken` #';
  const invalid = await runner.run("Check", { ...fast, baseline: hostile, profile: hostile });
  expect(invalid.outputs).toMatchObject({ "exit-code": "2", verdict: "refused" });
  expect(invalid.outputs).not.toHaveProperty("sarif");
  expect(invalid.summary).toContain(`    File not found: ${hostile}`);
  expect(existsSync(join(runner.workspace, "taken"))).toBe(false);

  for (const name of ["a b.har", "c.har"])
    cpSync(join(root, "test/recordings/chrome.har"), join(runner.workspace, name));
  const recorded = await runner.run("Check", { recordings: "*.har\n", strict: "false" });
  expect(runner.words().slice(-4, -1)).toEqual(["--", "a b.har", "c.har"]);
  expect(recorded.summary).toContain("12 exchanges");
});

import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openInspector } from "../../src/entrypoints/cli/server/open-inspector.ts";
import { folderOf, temporaryFolder, understudy } from "./_command-line.ts";

const { out: script } = await understudy("completion bash");

/** What bash offers for the words; the last one is incomplete. */
function offered(words: readonly string[]): readonly string[] {
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const lines = [script, `COMP_WORDS=(${quoted})`, `COMP_CWORD=${words.length - 1}`, "_understudy"];
  const { stdout, stderr } = spawnSync(
    "bash",
    ["--norc", "-c", [...lines, `printf '%s\\n' "\${COMPREPLY[@]}"`].join("\n")],
    {
      encoding: "utf8",
    },
  );
  expect(stderr).toBe("");
  return stdout.trimEnd().split("\n");
}

test.each([
  [["understudy", "se"], ["serve"]],
  [["understudy", "help", "se"], ["serve"]],
  [
    ["understudy", "re"],
    ["record", "replay", "redact"],
  ],
  [["understudy", "check", "me"], ["merge"]],
  [["understudy", "check", "merge", "--rep"], ["--report"]],
  [["understudy", "check", "--mig"], ["--migrate-to"]],
  [
    ["understudy", "serve", "--profile", "can"],
    ["canton-3.6", "canton-3.5", "canton-3.4.12", "canton-3.4.11"],
  ],
  [["understudy", "serve", "--profile", "=", "sp"], ["spec"]],
  [
    ["understudy", "serve", "--auth", "="],
    ["none", "bearer", "user", "jwt"],
  ],
  [["understudy", "serve", "-"], expect.arrayContaining(["-p", "--port", "--help"])],
  [["understudy", "serve", "--jwks", ""], [""]],
  [["understudy", "init", "--framework", "j"], ["jest"]],
  [["understudy", "completion", ""], expect.arrayContaining(["bash", "zsh", "fish"])],
  [["understudy", "validate", "my.ar"], [""]],
])("bash completes %j", (words, expected) => {
  expect(offered(words)).toEqual(expected);
});

test.each(["bash", "zsh", "fish"])("%s parses its script, where it is installed", async (shell) => {
  const file = join(temporaryFolder(), "script");
  writeFileSync(file, (await understudy(`completion ${shell}`)).out);
  const { error, status, stderr } = spawnSync(shell, ["-n", file], { encoding: "utf8" });
  if (error === undefined) expect([status, stderr]).toEqual([0, ""]);
  else expect([shell, error.message]).toEqual([expect.stringMatching(/zsh|fish/), expect.stringContaining("ENOENT")]);
});

test("--open starts the program of the system with the URL of the inspector, and reports its failure", async () => {
  const names = ["open", "xdg-open"];
  const folder = folderOf(
    Object.fromEntries(names.map((name) => [name, '#!/bin/sh\nprintf %s "$1" > "$OUT"\nexit 3\n'])),
  );
  for (const name of names) chmodSync(join(folder, name), 0o755);
  const file = join(folder, "opened");
  const message = await new Promise((printError) =>
    openInspector("http://127.0.0.1:7575", { variables: { PATH: folder, OUT: file }, printError }),
  );
  expect(message).toMatch(/^--open: (?:xdg-)?open ended with 3\. Open the inspector yourself: http:/);
  expect(readFileSync(file, "utf8")).toBe("http://127.0.0.1:7575/__understudy/");
});

import { expect, test } from "vitest";
import { commands } from "../../src/entrypoints/cli/commands.ts";
import { commonFlags, type Flag } from "../../src/entrypoints/cli/options.ts";
import { expectRefusal, serving, temporaryFolder, understudy } from "./_command-line.ts";

/** All commands and subcommands with all their flags. */
async function allCommands() {
  const loaded = await Promise.all(commands.map(({ load }) => load()));
  const all = loaded.flatMap((command) => [command, ...(command.subcommands ?? [])]);
  return all.map((command) => ({ ...command, flags: [...command.flags, ...commonFlags] }));
}

const script = async (shell: string) => (await understudy(`completion ${shell}`)).out;

/** The part of a script about a command, and whether it has a flag. */
interface Shell {
  readonly name: string;
  part(text: string, command: string): string;
  has(part: string, flag: Flag): boolean;
}

const shells: readonly Shell[] = [
  {
    name: "bash",
    part: (text, command) => new RegExp(`^ +"${command}"\\) words="(.*)" ;;$`, "m").exec(text)?.[1] ?? "",
    has: (part, { name, short }) =>
      ` ${part} `.includes(` --${name} `) && (short === undefined || ` ${part} `.includes(` -${short} `)),
  },
  {
    name: "zsh",
    part: (text, command) => new RegExp(`^ +'${command}'\\)\\n((?:.*\\n)*?) +;;$`, "m").exec(text)?.[1] ?? "",
    has: (part, { name, short, type }) => {
      const long = `--${name}${type === "boolean" ? "" : "="}`;
      const repeated = type === "list" ? "'*'" : "";
      return part.includes(
        short === undefined ? `\n        ${repeated}${long}'[` : `'(-${short} --${name})'{-${short},${long}}'[`,
      );
    },
  },
  {
    name: "fish",
    part: (text, command) => {
      const condition = command
        .split(" ")
        .map((word) => `__fish_seen_subcommand_from ${word}`)
        .join("; and ");
      return text
        .split("\n")
        .filter((line) => new RegExp(`-n '${condition}(?:'|; and not)`).test(line))
        .join("\n");
    },
    has: (part, { name, short }) => new RegExp(`-l ${name}${short === undefined ? "" : ` -s ${short}`} `).test(part),
  },
];

test.each(shells)("the script of $name has every command, every flag and every fixed value", async (shell) => {
  const text = await script(shell.name);
  for (const { name, flags, arguments: words = [] } of await allCommands()) {
    const part = shell.part(text, name);
    const missing = flags.filter((flag) => !shell.has(part, flag));
    expect([name, missing.map((flag) => flag.name)]).toEqual([name, []]);
    for (const word of words) expect(part).toContain(word);
    for (const { choices = [] } of flags) expect(text).toContain(choices.join(" "));
  }
});

test.each(["zsh", "fish"])("the script of %s has a closed quote on every line", async (shell) => {
  const text = await script(shell);
  const code = text.split("\n").filter((line) => !line.startsWith("#"));
  const closed = shell === "zsh" ? /^(?:[^']|'[^']*'|\\')*$/ : /^(?:[^']|'(?:[^'\\]|\\.)*')*$/;
  expect(code.filter((line) => !closed.test(line))).toEqual([]);
});

test("offers fixed values for the flags that have them", async () => {
  const valued = (await allCommands()).flatMap(({ flags }) => flags.filter(({ choices }) => choices !== undefined));
  expect(new Set(valued.map(({ name }) => name))).toEqual(
    new Set([
      "auth",
      "clock",
      "durability",
      "format",
      "framework",
      "log",
      "match",
      "profile",
      "registry-profile",
      "timing",
      "to",
    ]),
  );
});

test("refuses another shell, and none", async () => {
  await expectRefusal("completion fsh", 'There is no completion for "fsh". Did you mean "zsh" or "fish"?');
  await expectRefusal("completion", "completion takes one shell: bash, zsh, fish.");
});

test("--open continues without a program that opens a browser, and says so", async () => {
  const stub = await serving("--open", { variables: { PATH: temporaryFolder() } });
  expect(await stub.printed(/^--open: .*$/m)).toMatch(/not built|was not found\. Open the inspector yourself: http:/);
  expect((await fetch(`${stub.url}/v2/idps`, { headers: { Authorization: "Bearer any" } })).status).toBe(200);
});

test("--open has no effect in CI, and needs an inspector", async () => {
  const stub = await serving("--open", { variables: { PATH: temporaryFolder(), CI: "true" } });
  expect((await stub.end()).error).not.toContain("--open");
  await expectRefusal("serve --no-control --open", "--open has no effect with --no-control.");
  await expectRefusal(
    "record --ledger http://127.0.0.1:1 --out x.har --open",
    "--open has no effect without --inspector.",
  );
});

import { expect, test } from "vitest";
import { commands } from "../../src/entrypoints/cli/commands.ts";
import { type Command, commonFlags } from "../../src/entrypoints/cli/options.ts";
import { replacedFlags } from "../../src/entrypoints/cli/replaced-flags.ts";

/** All commands and subcommands. */
const all: readonly Command[] = (await Promise.all(commands.map(({ load }) => load()))).flatMap((command) => [
  command,
  ...(command.subcommands ?? []),
]);

const flagNamesMax = 100;

test("the commands have at most 100 different flags", () => {
  const names = new Set([...commonFlags, ...all.flatMap(({ flags }) => flags)].map(({ name }) => name));
  expect(names.size).toBeLessThanOrEqual(flagNamesMax);
});

test("a replaced flag is gone, and what replaces it exists", () => {
  const wrong = all.flatMap(({ name: command, flags }) => {
    const names = new Set(flags.map(({ name }) => name));
    return replacedFlags(command)
      .filter(
        ([flag, by]) => names.has(flag) || (by.startsWith("--") && !names.has(/^--([\w-]+) /.exec(by)?.[1] ?? "")),
      )
      .map(([flag]) => `${command} --${flag}`);
  });
  expect(wrong).toEqual([]);
});

import { type Hook, type HookName, type Hooks, hookNames } from "../../../checker/probing/target.ts";
import { advise } from "../../../foundation/text/suggestion.ts";
import type { Options } from "../options.ts";
import { type HookOptions, runHook } from "../target/run-hook.ts";
import { UserError } from "../user-error.ts";

/** The command lines of hooks by name, as `--hook` gives them. */
export function hookCommandsOf(options: Options): Readonly<Partial<Record<HookName, string>>> {
  const texts = options.texts("hook").filter((line) => line.trim() !== "");
  return Object.fromEntries(texts.map(readHook));
}

function readHook(text: string): readonly [HookName, string] {
  const mark = text.indexOf("=");
  const [name, command] = [text.slice(0, Math.max(0, mark)).trim(), text.slice(mark + 1).trim()];
  if (mark < 0 || command === "")
    throw new UserError(`--hook ${text}: not a valid hook. Use --hook beginReassignment='./reassign.sh', for example.`);
  const found = hookNames.find((candidate) => candidate === name);
  if (found === undefined) throw new UserError(`There is no hook ${JSON.stringify(name)}. ${advise(name, hookNames)}`);
  return [found, command];
}

/** Hooks that run command lines. */
export function hooksOf(commands: Readonly<Partial<Record<HookName, string>>>, setting: HookOptions): Hooks {
  const hooks: Partial<Record<HookName, Hook>> = {};
  for (const name of hookNames) {
    const command = commands[name];
    if (command !== undefined) hooks[name] = (variables) => runHook(command, variables, setting);
  }
  return hooks;
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commands } from "../../src/entrypoints/cli/commands.ts";
import { type Command, commonFlags } from "../../src/entrypoints/cli/options.ts";
import { root } from "./_command-line.ts";

const fenced = /^```[\s\S]*?^```$/gm;
const span = /`([^`\n]+)`/g;
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The commands, flags and scripts in the prose of a page that do not exist. */
export async function unknownWords(page: string): Promise<readonly string[]> {
  const loaded = await Promise.all(commands.map(({ load }) => load()));
  const all = loaded.flatMap((command) => [...(command.subcommands ?? []), command]);
  const spans = [...page.replaceAll(fenced, "").matchAll(span)].map(([, text = ""]) => text);
  return spans.filter((text) => !isKnown(text, all));
}

function isKnown(text: string, all: readonly Command[]): boolean {
  const script = /^npm run (?:-s )?([\w:-]+)/.exec(text)?.[1];
  if (script !== undefined) return script in scripts;
  const words = text.replace(/^understudy /, "");
  const command = all.find(({ name }) => `${words} `.startsWith(`${name} `));
  const isOfNoCommand = /^(?:--|[A-Z])/.test(words);
  if (command === undefined && !isOfNoCommand) return words === text;
  const flags = (command === undefined ? all : [command]).flatMap((each) => each.flags).concat(commonFlags);
  const known = new Set(["version", ...flags.map(({ name }) => name)]);
  return [...words.matchAll(/(?<=^| )--([a-z][\w-]*)/g)].every(([, flag = ""]) => known.has(flag));
}

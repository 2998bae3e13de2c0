import { commands } from "./commands.ts";

const commandLine = new RegExp(
  `(?<!npx |[\\w./@-])understudy (?=(?:${commands.map(({ name }) => name).join("|")})\\b)`,
  "g",
);

/** A text whose command lines begin with `npx` where npx started the process: its shell does not find `understudy` alone. */
export function asCalled(text: string, variables: Readonly<Record<string, string | undefined>>): string {
  // A program that reads JSON knows how it calls the command.
  if (variables["npm_command"] !== "exec" || text.startsWith("{")) return text;
  return text.replaceAll(commandLine, "npx understudy ");
}

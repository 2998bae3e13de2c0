import { commands } from "./commands.ts";

/** What decides how a shell reads a printed line. */
interface Shell {
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

const tokenLine = new RegExp(
  `^(\\s*)TOKEN=\\$\\(((?:npx )?understudy (?:${commands.map(({ name }) => name).join("|")})\\b.*)\\)$`,
);

const variable = /\$([A-Z][A-Z_]*)/g;

/**
 * A text whose curl lines, and lines that set the token, fit the shell of Windows that reads them: cmd.exe, which alone sets
 * PROMPT, or PowerShell, which passes what follows `--%` to the program as it is. Other shells read the lines of a POSIX shell.
 */
export function linesForWindows(text: string, { platform, variables }: Shell): string {
  if (platform !== "win32" || variables["MSYSTEM"] !== undefined || text.startsWith("{")) return text;
  const isPowerShell = variables["PROMPT"] === undefined;
  return text
    .split("\n")
    .map((line) => {
      const [, space = "", command] = tokenLine.exec(line) ?? [];
      if (command !== undefined)
        return isPowerShell
          ? `${space}$env:TOKEN = ${command.replaceAll(variable, "$env:$1")}`
          : `${space}for /f "delims=" %t in ('${command.replaceAll(variable, "%$1%")}') do @set TOKEN=%t`;
      if (!/\bcurl -/.test(line)) return line;
      return line
        .replace(/\bcurl (?=-)/, isPowerShell ? "curl.exe --% " : "curl ")
        .replaceAll(variable, "%$1%")
        .replace(/ +# [^"']*$/, "");
    })
    .join("\n");
}

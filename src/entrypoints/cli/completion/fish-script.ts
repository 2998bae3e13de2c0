import type { Flag } from "../options.ts";
import { type CompletableCommand, mainCommands } from "./completable-command.ts";

/** The completion script of fish. fish completes file names where a line does not forbid it. */
export function fishScript(commands: readonly CompletableCommand[]): string {
  return [
    "# Completion of understudy. Write it to a file:",
    "# understudy completion fish > ~/.config/fish/completions/understudy.fish",
    ...mainCommands(commands).map(
      ({ name, summary }) => `complete -c understudy -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ),
    "complete -c understudy -n __fish_use_subcommand -f -l version -d 'Show the version.'",
    ...commands.flatMap((command) => linesOf(command, commands)),
  ].join("\n");
}

function linesOf(
  { name, words, flags }: CompletableCommand,
  commands: readonly CompletableCommand[],
): readonly string[] {
  const inner = commands.flatMap((other) =>
    other.name.startsWith(`${name} `) ? [other.name.slice(name.length + 1)] : [],
  );
  const condition = [
    ...name.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`),
    ...(inner.length === 0 ? [] : [`not __fish_seen_subcommand_from ${inner.join(" ")}`]),
  ].join("; and ");
  const beginning = `complete -c understudy -n ${quoted(condition)}`;
  return [
    ...(words.length === 0 ? [] : [`${beginning} -a ${quoted(words.join(" "))}`]),
    ...flags.map((flag) => `${beginning} ${flagWords(flag)}`),
  ];
}

function flagWords({ name, short, type, help, choices }: Flag): string {
  return [
    `-l ${name}`,
    ...(short === undefined ? [] : [`-s ${short}`]),
    ...(type === "boolean" ? [] : [choices === undefined ? "-r" : `-x -a ${quoted(choices.join(" "))}`]),
    `-d ${quoted(help)}`,
  ].join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}

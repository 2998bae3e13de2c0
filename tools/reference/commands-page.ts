// Generates docs/reference/commands.md: every command with all of its flags.
import { commandGroups } from "../../src/entrypoints/cli/commands.ts";
import { commonFlags, type Flag, type Subcommand, variableNameOf } from "../../src/entrypoints/cli/options.ts";
import { cell } from "../_cell.ts";

export async function commandsPage(): Promise<string> {
  const commands = await Promise.all(
    commandGroups
      .flatMap((group) => group.commands)
      .map(async ({ summary, load }): Promise<Subcommand> => ({ summary, ...(await load()) })),
  );
  return [
    "<!-- Made by `npm run generate` from src/entrypoints/cli. Do not edit. -->",
    "# Commands and flags",
    "",
    "All commands with all flags, as `understudy COMMAND --help all` prints them. [Command line](../command-line.md) has environment variables, files and exit codes.",
    `Each flag has an environment variable: ${variableOf(commands)}. Every command also has these flags:`,
    "",
    ...flagTable(commonFlags),
    "| Command | Purpose |",
    "| --- | --- |",
    ...commands.map(({ name, summary }) => `| [\`${name}\`](#understudy-${name}) | ${cell(summary)} |`),
    "",
    ...commands.flatMap((command) => commandLines(command, "##")),
  ].join("\n");
}

/** An example of a variable: that of the first flag. */
function variableOf([first]: readonly Subcommand[]): string {
  const [flag] = first?.flags ?? [];
  return flag === undefined ? "" : `\`${variableNameOf(flag.name)}\` sets \`--${flag.name}\``;
}

function commandLines(command: Subcommand, level: string): readonly string[] {
  const { name, summary, usage, flags, examples, subcommands = [] } = command;
  const title = level === "##" ? name : usage.split(" ").slice(0, 2).join(" ");
  const groups = [...Map.groupBy(flags, ({ group }) => group ?? "")].sort(
    ([left], [right]) => Number(left !== "") - Number(right !== ""),
  );
  return [
    `${level} understudy ${title}`,
    "",
    summary,
    "",
    "```sh",
    `understudy ${usage}`,
    "```",
    "",
    ...groups.flatMap(([group, each]) => [...(group === "" ? [] : [`${group}:`, ""]), ...flagTable(each)]),
    "Examples:",
    "",
    "```sh",
    ...examples,
    "```",
    "",
    ...subcommands.flatMap((each) => commandLines(each, "###")),
  ];
}

function flagTable(flags: readonly Flag[]): readonly string[] {
  if (flags.length === 0) return [];
  const rows = flags.map(({ name, short, value, type, help }) => {
    const forms = [
      ...(short === undefined ? [] : [`\`-${short}\``]),
      `\`--${name}${value === undefined ? "" : ` ${value}`}\``,
    ];
    return `| ${cell(forms.join(", "))} | ${cell(help)}${type === "list" ? " (can be repeated)" : ""} |`;
  });
  return ["| Flag | Effect |", "| --- | --- |", ...rows, ""];
}

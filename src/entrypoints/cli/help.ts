import { commonFlags, configFlag, type Flag, type Subcommand, variableNameOf } from "./options.ts";

/** Width of a terminal line, in characters. */
const columnsMax = 100;

/** The help text of a command: its common flags, or all of them, and two examples. */
export function helpOf(command: Subcommand, areAllShown: boolean): string {
  const own = command.flags.filter(({ isRare }) => areAllShown || isRare !== true);
  const hidden = command.flags.length - own.length;
  const [first] = command.flags;
  return [
    ...wrapped(command.summary, columnsMax),
    "",
    ...usageLines(command).map((line, index) => `${index === 0 ? "Usage:" : "      "} ${line}`),
    "",
    ...(areAllShown ? groupLines([...own, ...commonFlags]) : [...flagLines([...own, ...commonFlags]), ""]),
    ...(hidden === 0
      ? []
      : [`${hidden} more ${hidden === 1 ? "flag" : "flags"}: understudy ${command.name} --help all`]),
    ...(first === undefined ? [] : [otherPlacesLine(first, command.flags.includes(configFlag))]),
    ...(hidden === 0 && first === undefined ? [] : [""]),
    ...(command.subcommands ?? []).flatMap(subcommandLines),
    ...(command.subcommands === undefined ? [] : [""]),
    "Examples:",
    ...command.examples.map((example) => `  ${example}`),
  ].join("\n");
}

/** Where flags can be set besides the command line. */
function otherPlacesLine({ name }: Flag, isInConfig: boolean): string {
  const variable = variableNameOf(name);
  return isInConfig
    ? `Flags override environment variables (${variable}), which override understudy.config.ts.`
    : `Each flag has an environment variable: ${variable} sets --${name}.`;
}

function subcommandLines({ usage, summary }: Subcommand): readonly string[] {
  return [
    ...usageLines({ usage }).map((line) => `  ${line}`),
    ...wrapped(summary, columnsMax - 6).map((line) => `      ${line}`),
  ];
}

function usageLines({ usage }: Pick<Subcommand, "usage">): readonly string[] {
  return usage.split("\n").map((line) => `understudy ${line}`);
}

/** The flags under their headings; those without a heading come first. */
function groupLines(flags: readonly Flag[]): readonly string[] {
  const width = widthOf(flags);
  const groups = Map.groupBy(flags, ({ group }) => group ?? "");
  const titles = [...groups.keys()].sort((left, right) => Number(left !== "") - Number(right !== ""));
  return titles.flatMap((title) => [
    ...(title === "" ? [] : [`${title}:`]),
    ...flagLines(groups.get(title) ?? [], width),
    "",
  ]);
}

/** Width of the column with the names of the flags. */
function widthOf(flags: readonly Flag[]): number {
  return Math.max(...flags.map((flag) => nameOf(flag).length)) + 2;
}

function nameOf({ name, short, value }: Flag): string {
  return `  ${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}

function flagLines(flags: readonly Flag[], width: number = widthOf(flags)): readonly string[] {
  return flags.flatMap((flag) => {
    const { type, help } = flag;
    const text = type === "list" ? `${help} (can be repeated)` : help;
    const [first = "", ...more] = wrapped(text, columnsMax - width);
    return [`${nameOf(flag).padEnd(width)}${first}`, ...more.map((line) => `${" ".repeat(width)}${line}`)];
  });
}

/** The text in lines of at most `width` characters, broken between words. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

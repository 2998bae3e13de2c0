import { commonFlags, type Flag, type Subcommand, variableNameOf } from "./options.ts";

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
    `Usage: understudy ${command.usage}`,
    "",
    ...(command.subcommands ?? []).flatMap(subcommandLines),
    ...flagLines([...own, ...commonFlags]),
    "",
    ...(hidden === 0
      ? []
      : [`${hidden} more ${hidden === 1 ? "flag" : "flags"}: understudy ${command.name} --help all`]),
    ...(first === undefined
      ? []
      : [`An environment variable can set each flag: ${variableNameOf(first.name)} sets --${first.name}.`]),
    ...(hidden === 0 && first === undefined ? [] : [""]),
    "Examples:",
    ...command.examples.map((example) => `  ${example}`),
  ].join("\n");
}

function subcommandLines({ usage, summary }: Subcommand): readonly string[] {
  return [`  understudy ${usage}`, ...wrapped(summary, columnsMax - 6).map((line) => `      ${line}`), ""];
}

function flagLines(flags: readonly Flag[]): readonly string[] {
  const left = flags.map(
    ({ name, short, value }) =>
      `  ${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`,
  );
  const width = Math.max(...left.map(({ length }) => length)) + 2;
  return flags.flatMap(({ type, help }, index) => {
    const text = type === "list" ? `${help} (can be repeated)` : help;
    const [first = "", ...more] = wrapped(text, columnsMax - width);
    return [`${left[index]?.padEnd(width)}${first}`, ...more.map((line) => `${" ".repeat(width)}${line}`)];
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

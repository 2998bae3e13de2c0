import { portableWord } from "../../../checker/engine/curl-line.ts";
import type { Mask } from "../../../foundation/secrets/mask.ts";
import type { Command, Options } from "../options.ts";

/** Flags that shape the output and not the result. */
const ofOutput: ReadonlySet<string> = new Set(["json", "help", "quiet", "report", "force", "update-baseline"]);

/**
 * The command that repeats a check, as a line of a shell. It has the flags of the environment too, and the
 * values of `known` in place of those. It has no tokens, which the environment or the target file gives, and no commands of hooks.
 */
export function repeatCommand(
  { name: command, flags }: Pick<Command, "name" | "flags">,
  options: Options,
  mask: Mask,
  known: Readonly<Record<string, string>> = {},
): string {
  const words = flags.flatMap(({ name, type, secret }) => {
    if (ofOutput.has(name)) return [];
    if (type === "boolean" && options.flag(name)) return [`--${name}`];
    // `--writes=false` overrides the config file.
    if (type === "boolean") return options.isWord(name) ? [`--${name}=false`] : [];
    if (type === "list") {
      const shown = options.texts(name).filter((text) => secret?.test(text) !== true);
      return shown.map((text) => `--${name} ${word(mask(text))}`);
    }
    const text = secret === undefined ? (known[name] ?? options.text(name)) : undefined;
    return text === undefined ? [] : [`--${name} ${word(mask(text))}`];
  });
  const files = options.positionals.map((file) => word(mask(file)));
  return ["understudy", command, ...files, ...words].join(" ");
}

function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : portableWord(text);
}

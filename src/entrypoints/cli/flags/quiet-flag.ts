import type { Flag, Options } from "../options.ts";

/** The flag that prints only problems. */
export const quietFlag: Flag = {
  name: "quiet",
  short: "q",
  type: "boolean",
  help: "print problems only",
  group: "Output",
};

/** Whether only problems are printed. JSON output is complete in any case. */
export function isQuiet(options: Options): boolean {
  return options.flag("quiet") && !options.flag("json");
}

import { booleanFlag, type Flag, type Options } from "../options.ts";

/** The flag that prints only problems. */
export const quietFlag: Flag = { ...booleanFlag("quiet", "print problems only"), short: "q", group: "Output" };

/** Whether only problems are printed. JSON output is complete in any case. */
export function isQuiet(options: Options): boolean {
  return options.flag("quiet") && !options.flag("json");
}

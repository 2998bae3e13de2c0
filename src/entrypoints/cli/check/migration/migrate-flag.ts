import { type Flag, textFlag } from "../../options.ts";

/** The release that a recording is checked for, or a node that has it. */
export const migrateFlag: Flag = {
  ...textFlag("migrate-to", "RELEASE|URL", "report what a later release refuses or changes (URL: that of a node)"),
  group: "Check",
};

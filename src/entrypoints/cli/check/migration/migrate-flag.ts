import { type Flag, textFlag } from "../../options.ts";

/** The release that a recording is checked for, or a node that has it. */
export const migrateFlag: Flag = {
  ...textFlag("migrate-to", "RELEASE|URL", "report what a later release, or the node at URL, refuses or changes"),
  group: "Check",
};

import { type Flag, textFlag } from "../../options.ts";

/** The release that a recording is checked for. */
export const migrateFlag: Flag = {
  ...textFlag("migrate-to", "RELEASE", "report what this later release refuses or changes in a recording"),
  group: "Check",
};

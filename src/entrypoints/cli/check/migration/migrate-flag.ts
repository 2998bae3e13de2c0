import { type Flag, textFlag } from "../../options.ts";

/** The release that a recording is checked for. */
export const migrateFlag: Flag = {
  ...textFlag("migrate-to", "RELEASE", "report what a later release refuses or changes"),
  group: "Check",
};

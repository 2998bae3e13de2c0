import type { Flag } from "../../options.ts";

/** The release that a recording is checked for. */
export const migrateFlag: Flag = {
  name: "migrate-to",
  type: "string",
  value: "RELEASE",
  help: "report what this later release refuses or changes in a recording",
  group: "Check",
};

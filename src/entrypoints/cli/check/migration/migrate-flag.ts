import type { Flag } from "../../options.ts";

/** The release that a recording is checked for. */
export const migrateFlag: Flag = {
  name: "migrate-to",
  type: "string",
  value: "RELEASE",
  help: "report the recorded requests that this later release refuses, or responds to differently",
  group: "Check",
};

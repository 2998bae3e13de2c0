import type { JsonObject } from "../../foundation/json/json.ts";

/** Members of a client finding in a result. */
const members = ["rule", "severity", "expected", "actual", "pointer", "advice"] as const;

/** A client finding in short; `explain` has the rest. */
export function shownFinding(finding: JsonObject): JsonObject {
  return Object.fromEntries(
    members.flatMap((name) => {
      const value = finding[name];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
}

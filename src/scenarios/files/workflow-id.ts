import type { JsonObject } from "../../foundation/json/json.ts";
import { textOf } from "../../foundation/json/members.ts";

/** The `workflowId` of a scenario. */
export function workflowIdOf({ workflow }: { readonly workflow: JsonObject }): string {
  return textOf(workflow["workflowId"]);
}

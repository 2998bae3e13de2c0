import type { JsonObject } from "../../foundation/json/json.ts";
import { textOf } from "../../foundation/json/members.ts";

const described = /^\$sourceDescriptions\.([\w-]+)\./;

/** The operation that a step calls, without its source description. */
export function operationIdOf(step: JsonObject): string {
  return textOf(step["operationId"]).replace(described, "");
}

/** The source description that a step names; undefined without one. */
export function sourceDescriptionOf(step: JsonObject): string | undefined {
  return described.exec(textOf(step["operationId"]))?.[1];
}

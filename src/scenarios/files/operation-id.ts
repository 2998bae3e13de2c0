import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { textOf } from "../../foundation/json/members.ts";
import { segmentsOf } from "../../foundation/spec/operation.ts";
import { percentDecoded } from "../../foundation/text/percent-decoded.ts";
import { stepOperations } from "./step-operations.ts";

const described = /^\$sourceDescriptions\.([^.]+)\./;
const path = /^\{?\$sourceDescriptions\.([^.]+)\.url\}?#(\/paths\/.+)$/s;

/** The operation that a step calls, without its source description. */
export function operationIdOf(step: JsonObject): string {
  return textOf(step["operationId"]).replace(described, "");
}

/** The source description that a step names; undefined without one. */
export function sourceDescriptionOf(step: JsonObject): string | undefined {
  return (described.exec(textOf(step["operationId"])) ?? path.exec(textOf(step["operationPath"])))?.[1];
}

/** The id of the operation that an `operationPath` names; the method and path of an unknown one. */
export function operationAtPath(operationPath: Json | undefined): string | undefined {
  if (typeof operationPath !== "string") return undefined;
  const [, template = "", method = ""] = segmentsOf(percentDecoded(path.exec(operationPath)?.[2] ?? ""));
  const known = [...stepOperations.values()].find(
    (operation) => operation.path === template && operation.method === method.toUpperCase(),
  );
  if (known !== undefined) return known.operationId;
  return template === "" ? operationPath : `${method.toUpperCase()} ${template}`;
}

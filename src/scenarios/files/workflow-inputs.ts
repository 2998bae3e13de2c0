import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";
import type { ArazzoDocument, Workflow } from "./workflow.ts";

/** The schema of a workflow's inputs; a reference to `components.inputs` is resolved. */
export function inputsSchema({ value, document }: Pick<Workflow, "value" | "document">): JsonObject {
  const schema = objectOf(value["inputs"]);
  return schema["$ref"] === undefined ? schema : { ...referenced(textOf(schema["$ref"]), document), ...schema };
}

function referenced(reference: string, { source }: ArazzoDocument): JsonObject {
  const name = /^#\/components\/inputs\/(.+)$/s.exec(reference)?.[1] ?? "";
  return objectOf(objectOf(objectOf(objectOf(source.value)["components"])["inputs"])[name]);
}

/** The inputs of a workflow: the defaults of its schema, values of the user that it declares, and those of the caller. */
export function initialInputs(workflow: Workflow, ofUser: JsonObject, given: JsonObject): JsonObject {
  const properties = objectOf(inputsSchema(workflow)["properties"]);
  const defaults = Object.entries(properties).flatMap(([name, schema]) => {
    const property = objectOf(schema);
    const own = property["$ref"] === undefined ? property : referenced(textOf(property["$ref"]), workflow.document);
    const value = property["default"] ?? own["default"];
    return value === undefined ? [] : [[name, value] as const];
  });
  const isFree = Object.keys(properties).length === 0;
  const declared = Object.entries(ofUser).filter(([name]) => isFree || Object.hasOwn(properties, name));
  return { ...Object.fromEntries(defaults), ...Object.fromEntries(declared), ...given };
}

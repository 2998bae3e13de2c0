import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf } from "../../foundation/json/members.ts";
import type { Workflow } from "./workflow.ts";

/** Why the inputs do not match the schema of the workflow; undefined if they do. */
export function inputsProblem(workflow: Workflow, inputs: JsonObject): string | undefined {
  const schema = objectOf(workflow.value["inputs"]);
  const { components } = objectOf(workflow.document.source.value);
  try {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
    const validate = ajv.compile({ ...schema, components });
    if (validate(inputs)) return undefined;
    const [error] = validate.errors ?? [];
    const missing: unknown = error?.params["missingProperty"];
    return typeof missing === "string"
      ? `the input ${JSON.stringify(missing)} has no value: give it under inputs of x-understudy, or a default in the schema`
      : `the inputs do not match their schema: ${error?.instancePath.slice(1).replaceAll("/", ".")} ${error?.message}`;
  } catch (error) {
    return `the schema of the inputs is not valid: ${error instanceof Error ? error.message : String(error)}`;
  }
}

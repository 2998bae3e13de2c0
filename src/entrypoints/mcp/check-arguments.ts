import { Ajv2020 } from "ajv/dist/2020.js";
import { type JsonObject, parseJson } from "../../foundation/json/json.ts";
import { objectOf } from "../../foundation/json/members.ts";
import { problemsWith } from "../../scenarios/files/check-schema.ts";
import { problemText } from "../../scenarios/files/problem.ts";
import { UnderstudyError } from "../library/understudy-error.ts";
import type { Tool } from "./tool.ts";

/** The JSON schema of a tool's arguments. */
export function inputSchemaOf({ input, required }: Tool): JsonObject & { readonly type: "object" } {
  return { type: "object", properties: input, required, additionalProperties: false };
}

/** The arguments of a call as JSON. Throws an UnderstudyError that lists the problems, with the nearest names. */
export function checkedArguments(tool: Tool, given: Readonly<Record<string, unknown>>): JsonObject {
  const { name } = tool;
  const value = { [name]: parseJson(JSON.stringify(given)) };
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true });
  const validate = ajv.compile({ properties: { [name]: inputSchemaOf(tool) } });
  const source = { name, value, placeOf: () => ({ line: 1, column: 1 }) };
  const problems = problemsWith(validate, `The schema of ${name} describes its arguments.`, source);
  if (problems.length > 0) throw new UnderstudyError([...new Set(problems.map(problemText))].join("\n"));
  return objectOf(value[name]);
}

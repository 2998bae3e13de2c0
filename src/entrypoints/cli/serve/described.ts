import { isJsonObject, type JsonObject } from "../../../foundation/json/json.ts";
import { readYaml } from "../../../scenarios/files/read-yaml.ts";
import {
  type DescriptionResponses,
  PrismMissing,
  responsesFromDescription,
} from "../../../stub/described/respond-from-description.ts";
import { diskFiles } from "../../library/files.ts";
import { fileOf, type NamedFile } from "../files/named-file.ts";
import type { Options } from "../options.ts";
import { UserError } from "../user-error.ts";

/** Answers from the description that `--openapi` names, if it does. Throws a UserError that says what is wrong with it. */
export async function responsesFrom(options: Options): Promise<DescriptionResponses | undefined> {
  const file = fileOf("openapi", options);
  if (file === undefined) return undefined;
  const description = readDescription(file);
  try {
    return await responsesFromDescription(description, file.name);
  } catch (error) {
    if (error instanceof PrismMissing)
      throw new UserError("--openapi answers through Prism, which is not installed: npm install @stoplight/prism-http");
    throw new UserError(
      `${file.name} cannot be answered from: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function readDescription({ name, path }: NamedFile): JsonObject {
  const text = diskFiles.read(path);
  if (text === undefined) throw new UserError(`There is no file ${name}, or it cannot be read.`);
  const read = readYaml(name, text);
  if (read.type === "invalid")
    throw new UserError(read.problems.map(({ problem }) => `${name}: ${problem}`).join("\n"));
  const { value } = read.source;
  if (!isJsonObject(value) || value["openapi"] === undefined) throw new UserError(`${name} is no OpenAPI description.`);
  // Only this machine is a network; the library would fetch what a reference names.
  if (/["']?\$ref["']?\s*:\s*["']?https?:/.test(text))
    throw new UserError(`${name} refers to other machines. Bundle it into one file first.`);
  return value;
}

import { isJsonObject, type JsonObject } from "../../../foundation/json/json.ts";
import { readYaml } from "../../../scenarios/files/read-yaml.ts";
import {
  type DescriptionResponses,
  PrismMissing,
  responsesFromDescription,
} from "../../../stub/described/respond-from-description.ts";
import { errorOfFiles } from "../files/error-of-files.ts";
import { fileOf, type NamedFile } from "../files/named-file.ts";
import { readText } from "../files/unreadable.ts";
import type { Options } from "../options.ts";
import { UserError } from "../user-error.ts";

/** Responses from the description of `--openapi`. Throws a UserError for a problem in it. */
export async function responsesFrom(options: Options): Promise<DescriptionResponses | undefined> {
  const file = fileOf("openapi", options);
  if (file === undefined) return undefined;
  const description = readDescription(file);
  try {
    return await responsesFromDescription(description, file.name);
  } catch (error) {
    if (error instanceof PrismMissing)
      throw new UserError("--openapi needs Prism, which is not installed: npm install @stoplight/prism-http");
    throw new UserError(`${file.name} cannot be served: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readDescription(file: NamedFile): JsonObject {
  const { name } = file;
  const text = readText(file);
  const read = readYaml(name, text);
  if (read.type === "invalid") throw errorOfFiles(read.problems);
  const { value } = read.source;
  if (!isJsonObject(value) || value["openapi"] === undefined)
    throw new UserError(`${name} is not an OpenAPI description. It needs the member openapi, such as openapi: 3.1.0.`);
  // The library would fetch a reference to another host; only loopback is allowed.
  if (/["']?\$ref["']?\s*:\s*["']?https?:/.test(text))
    throw new UserError(`${name} has references to other hosts. Bundle it into one file first.`);
  return value;
}

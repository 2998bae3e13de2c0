import { isJsonObject, type JsonObject } from "../http/json.ts";
import { diskFiles } from "../library/files.ts";
import { answersFromDescription, type DescriptionAnswers, PrismMissing } from "../prism/answer-from-description.ts";
import { readYaml } from "../scenario/read-yaml.ts";
import { UserError } from "./user-error.ts";

/** Answers from the description that the user names. Throws a UserError that says what is wrong with it. */
export async function answersFrom(file: string): Promise<DescriptionAnswers> {
  const description = readDescription(file);
  try {
    return await answersFromDescription(description, file);
  } catch (error) {
    if (error instanceof PrismMissing)
      throw new UserError("--openapi answers through Prism, which is not installed: npm install @stoplight/prism-http");
    throw new UserError(`${file} cannot be answered from: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readDescription(file: string): JsonObject {
  const text = diskFiles.read(file);
  if (text === undefined) throw new UserError(`There is no file ${file}, or it cannot be read.`);
  const read = readYaml(file, text);
  if (read.type === "mistaken")
    throw new UserError(read.mistakes.map(({ problem }) => `${file}: ${problem}`).join("\n"));
  const { value } = read.source;
  if (!isJsonObject(value) || value["openapi"] === undefined) throw new UserError(`${file} is no OpenAPI description.`);
  // Only this machine is a network; the library would fetch what a reference names.
  if (/["']?\$ref["']?\s*:\s*["']?https?:/.test(text))
    throw new UserError(`${file} refers to other machines. Bundle it into one file first.`);
  return value;
}

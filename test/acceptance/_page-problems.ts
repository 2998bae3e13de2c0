import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { parseAllDocuments } from "yaml";
import { root } from "./_command-line.ts";
import { type GuideStep, stepsOf, unseenFences } from "./_guide.ts";

/** What is wrong with the blocks of a page, as far as it shows without running them. */
export function problemsOf(page: string, notHere: readonly string[]): readonly string[] {
  const unseen = unseenFences(page).map(
    (fence) => `${fence}: a block begins and ends at the left, with three backticks`,
  );
  return [...unseen, ...stepsOf(page).flatMap((step) => problemOf(step, notHere) ?? [])];
}

function problemOf(step: GuideStep, notHere: readonly string[]): string | undefined {
  const problem = reasonOf(step, notHere);
  return problem === undefined ? undefined : `line ${step.line}: ${problem}`;
}

function reasonOf(step: GuideStep, notHere: readonly string[]): string | undefined {
  switch (step.type) {
    case "unknown":
      return `nothing runs this block; make it a command with its output, or say what it needs:\n${step.text}`;
    case "elsewhere":
      return notHere.includes(step.needs) ? undefined : `${step.needs} is none of ${notHere.join(", ")}`;
    case "excerpt":
      return excerptProblem(step.file, step.text);
    case "value":
      return step.language === "json" ? jsonProblem(step.text) : yamlProblem(step.text);
    default:
      return undefined;
  }
}

/** Each line of an excerpt is a line of its file, in the same order; `…` and comments stand for what is left out. */
function excerptProblem(file: string, text: string): string | undefined {
  if (!existsSync(join(root, file))) return `there is no ${file}`;
  const lines = readFileSync(join(root, file), "utf8")
    .split("\n")
    .map((line) => line.trim());
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line === "" || line === "…") continue;
    const at = lines.indexOf(line);
    if (at === -1) return `${file} has no further line ${line}`;
    lines.splice(0, at + 1);
  }
  return undefined;
}

/** A value, or one a line. */
function jsonProblem(text: string): string | undefined {
  const isValue = (each: string) => {
    try {
      JSON.parse(each);
      return true;
    } catch {
      return false;
    }
  };
  return isValue(text) || text.trimEnd().split("\n").every(isValue) ? undefined : "this is no JSON";
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajvFormats.default(ajv);

/** Excerpts of scenarios and fixtures have members of one of the schemas, and those are valid. */
function yamlProblem(text: string): string | undefined {
  const [document] = parseAllDocuments(text);
  const problems = document !== undefined && "errors" in document ? document.errors : [];
  if (problems.length > 0) return problems.join("\n");
  const value: unknown = document?.toJS();
  const found = readdirSync(join(root, "schemas"))
    .map((file) => JSON.parse(readFileSync(join(root, "schemas", file), "utf8")))
    .find(({ properties = {} }) => Object.keys(Object(value)).every((key) => key in properties));
  if (found === undefined) return "no file in schemas has all of these members";
  const isValid = ajv.compile({ ...found, $id: undefined, required: [] });
  return isValid(value) ? undefined : ajv.errorsText(isValid.errors);
}

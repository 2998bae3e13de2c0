import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { parseAllDocuments } from "yaml";
import { root } from "./_command-line.ts";
import { type GuideStep, stepsOf, unseenFences } from "./_guide.ts";

/** The problems of a page's blocks that are found without running them. */
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
      return `no test runs this block. Make it a command with its output, or name what it needs:\n${step.text}`;
    case "elsewhere":
      return notHere.includes(step.needs) ? undefined : `unknown need ${step.needs}. Known are: ${notHere.join(", ")}`;
    case "excerpt":
      return excerptProblem(step.file, step.text);
    case "value":
      return step.language === "json" ? jsonProblem(step.text) : yamlProblem(step.text);
    default:
      return undefined;
  }
}

/** Checks that each line of an excerpt is a line of its file, in the same order. `…` stands for omitted lines. */
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

/** Checks a JSON value, or one value per line. */
function jsonProblem(text: string): string | undefined {
  const isValue = (each: string) => {
    try {
      JSON.parse(each);
      return true;
    } catch {
      return false;
    }
  };
  return isValue(text) || text.trimEnd().split("\n").every(isValue) ? undefined : "this is not valid JSON";
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajvFormats.default(ajv);

/** Checks an excerpt of a scenario or fixture against the schema that has all of its members. */
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

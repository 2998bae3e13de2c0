import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, optionalTextOf, textOf } from "../../foundation/json/members.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import { type Problem, problemAt } from "./problem.ts";
import type { SourceFile } from "./source-file.ts";

/** A Pact provider state from a scenario: its initial world, or the world after a step. */
interface ProvidedState {
  readonly name: string;
  readonly afterStep: string | undefined;
}

/** The provider states of a workflow. The workflow id always names the initial world. */
export function providedStates(workflow: JsonObject): readonly ProvidedState[] {
  const written = writtenStates(objectOf(workflow["x-understudy"]));
  const id = textOf(workflow["workflowId"]);
  return written.some(({ name }) => name === id) ? written : [...written, { name: id, afterStep: undefined }];
}

function writtenStates(extension: JsonObject): readonly ProvidedState[] {
  const list = extension["providerStates"];
  if (!Array.isArray(list)) return [];
  return list.map((entry) =>
    typeof entry === "string"
      ? { name: entry, afterStep: undefined }
      : { name: textOf(objectOf(entry)["name"]), afterStep: optionalTextOf(objectOf(entry)["afterStep"]) },
  );
}

export function stepIdsOf(workflow: JsonObject): readonly string[] {
  return objectsOf(workflow["steps"]).map((step) => textOf(step["stepId"]));
}

/** Problems of provider states: duplicate names and unknown steps. */
export function checkProviderStates(extension: SourceFile, workflow: JsonObject): readonly Problem[] {
  const states = writtenStates(objectOf(extension.value));
  const steps = stepIdsOf(workflow);
  return states.flatMap(({ name, afterStep }, index) => {
    const reported = (problem: string, advice: string) => [
      problemAt(extension, ["providerStates", index], problem, advice),
    ];
    if (states.findIndex((other) => other.name === name) < index)
      return reported(`duplicate provider state ${JSON.stringify(name)}`, "Use a name only once.");
    if (afterStep === undefined || steps.includes(afterStep)) return [];
    const problem = `the provider state ${JSON.stringify(name)} follows the step ${JSON.stringify(afterStep)}, which does not exist`;
    return reported(problem, advise(afterStep, steps, "The scenario lists all."));
  });
}

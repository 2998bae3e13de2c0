import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { listOf, objectOf, objectsOf, textOf } from "../../foundation/json/members.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import { checkSchema } from "./check-schema.ts";
import { type FileReader, fixtureRefusal, readSource } from "./file-reader.ts";
import { operationAtPath } from "./operation-id.ts";
import { type Problem, problemAt } from "./problem.ts";
import type { SourceFile, ValuePath } from "./source-file.ts";

/** An Arazzo document with its workflows, and the Arazzo documents that it names. */
export interface ArazzoDocument {
  readonly source: SourceFile;
  readonly workflows: readonly Workflow[];
  /** By the name of the source description. */
  readonly others: ReadonlyMap<string, ArazzoDocument>;
}

/**
 * A workflow whose references are resolved: reusable objects are replaced by those of `components`, each step has the
 * parameters and actions of its workflow, and an operation path is an operation id.
 */
export interface Workflow {
  readonly id: string;
  readonly value: JsonObject;
  readonly document: ArazzoDocument;
  readonly path: ValuePath;
}

/** The problems of references to components and documents, and of the documents. */
interface ReadWorkflows {
  readonly document: ArazzoDocument;
  readonly problems: readonly Problem[];
}

/** Reads the workflows of a document and of the documents that it names. */
export function readWorkflows(source: SourceFile, files: FileReader): ReadWorkflows {
  const problems: Problem[] = [];
  const read = new Map<string, ArazzoDocument>();
  return { document: documentOf(source), problems };

  function documentOf(from: SourceFile): ArazzoDocument {
    const others = new Map<string, ArazzoDocument>();
    const workflows: Workflow[] = [];
    const document = { source: from, workflows, others };
    read.set(from.name, document);
    for (const [index, value] of objectsOf(objectOf(from.value)["workflows"]).entries()) {
      const path = ["workflows", index];
      const resolved = resolvedWorkflow({ source: from, path, problems }, value);
      workflows.push({ id: textOf(value["workflowId"]), value: resolved, document, path });
    }
    for (const [index, described] of objectsOf(objectOf(from.value)["sourceDescriptions"]).entries()) {
      const other = described["type"] === "arazzo" ? otherDocument(from, index, textOf(described["url"])) : undefined;
      if (other !== undefined) others.set(textOf(described["name"]), other);
    }
    return document;
  }

  function otherDocument(from: SourceFile, index: number, url: string): ArazzoDocument | undefined {
    const at: ValuePath = ["sourceDescriptions", index, "url"];
    const isRemote = /^[a-z][a-z+.-]+:/i.test(url);
    const refusal = isRemote
      ? {
          problem: `${url} is valid Arazzo, but documents from a network are not supported here`,
          advice: "Save it as a file, and name that.",
        }
      : fixtureRefusal(from.name, url, files);
    if (refusal !== undefined) {
      problems.push(problemAt(from, at, refusal.problem, refusal.advice));
      return undefined;
    }
    const file = files.resolve(from.name, url);
    const known = read.get(file);
    if (known !== undefined) return known;
    const result = readSource(file, files);
    const found = result.type === "invalid" ? result.problems : checkSchema("arazzo", result.source);
    problems.push(...found);
    return result.type === "invalid" || found.length > 0 ? undefined : documentOf(result.source);
  }
}

/** A document with one workflow that has no file. */
export function loneWorkflow(source: SourceFile, value: JsonObject): Workflow {
  const workflows: Workflow[] = [];
  const document = { source, workflows, others: new Map<string, ArazzoDocument>() };
  const workflow = { id: textOf(value["workflowId"]), value, document, path: ["workflows", 0] };
  workflows.push(workflow);
  return workflow;
}

const described = /^\$sourceDescriptions\.([^.]+)\.(.+)$/s;

/** The workflow that a `workflowId` names, in the same document or, with `$sourceDescriptions`, in another one. */
export function workflowNamed(document: ArazzoDocument, name: string): Workflow | undefined {
  const [, other, id = name] = described.exec(name) ?? [];
  const workflows = other === undefined ? document.workflows : document.others.get(other)?.workflows;
  return workflows?.find((workflow) => workflow.id === id);
}

/** A document, and those that it names at any distance. */
export function documentsOf(
  document: ArazzoDocument,
  found: Set<ArazzoDocument> = new Set(),
): readonly ArazzoDocument[] {
  if (found.has(document)) return [];
  found.add(document);
  for (const other of document.others.values()) documentsOf(other, found);
  return [...found];
}

/** The names of all workflows that a document can name. */
export function workflowNames({ workflows, others }: ArazzoDocument): readonly string[] {
  const further = [...others].flatMap(([name, other]) =>
    other.workflows.map(({ id }) => `$sourceDescriptions.${name}.${id}`),
  );
  return [...workflows.map(({ id }) => id), ...further];
}

/** The workflow ids that a workflow names, with their places: those of `dependsOn`, of steps and of actions. */
export function namedWorkflows({ value }: Workflow): readonly (readonly [path: ValuePath, name: string])[] {
  const own = listOf(value["dependsOn"]).map((name, index) => [["dependsOn", index], textOf(name)] as const);
  const called = objectsOf(value["steps"]).flatMap((step, index) => {
    const at = ["steps", index];
    const actions = actionLists.flatMap((list) =>
      objectsOf(step[list]).flatMap((action, place) =>
        action["workflowId"] === undefined
          ? []
          : [[[...at, list, place, "workflowId"], textOf(action["workflowId"])] as const],
      ),
    );
    return step["workflowId"] === undefined
      ? actions
      : [[[...at, "workflowId"], textOf(step["workflowId"])] as const, ...actions];
  });
  return [...own, ...called];
}

/** The workflows of a document that a run begins with, in order: those that no other workflow of it names. */
export function firstWorkflows(document: ArazzoDocument): readonly Workflow[] {
  const called = new Set(
    document.workflows.flatMap((workflow) =>
      namedWorkflows(workflow)
        .map(([, name]) => name)
        .filter((name) => name !== workflow.id),
    ),
  );
  const free = document.workflows.filter(({ id }) => !called.has(id));
  return free.length === 0 ? document.workflows.slice(0, 1) : free;
}

export const actionLists = ["onSuccess", "onFailure"] as const;

interface Place {
  readonly source: SourceFile;
  readonly path: ValuePath;
  readonly problems: Problem[];
}

function resolvedWorkflow(place: Place, workflow: JsonObject): JsonObject {
  const lists = {
    parameters: resolvedList(place, workflow["parameters"], "parameters"),
    onSuccess: resolvedList(place, workflow["successActions"], "successActions"),
    onFailure: resolvedList(place, workflow["failureActions"], "failureActions"),
  };
  if (!Array.isArray(workflow["steps"])) return workflow;
  const steps = workflow["steps"].map((step, index) =>
    isJsonObject(step) ? resolvedStep({ ...place, path: [...place.path, "steps", index] }, step, lists) : step,
  );
  return { ...workflow, steps };
}

type Lists = Readonly<Record<"parameters" | "onSuccess" | "onFailure", readonly JsonObject[]>>;

/** The lists that a step inherits from its workflow, with their names in components and in the workflow. */
const inheritedLists = [
  ["parameters", "parameters"],
  ["onSuccess", "successActions"],
  ["onFailure", "failureActions"],
] as const;

/** The step's own entries keep their places; those of the workflow follow. */
function resolvedStep(place: Place, step: JsonObject, inherited: Lists): JsonObject {
  const members = inheritedLists.flatMap(([member, kind]) => {
    const own = resolvedList(place, step[member], kind, member);
    const further = inherited[member].filter((entry) => !own.some((other) => isSameEntry(entry, other)));
    return own.length + further.length === 0 ? [] : [[member, [...own, ...further]] as const];
  });
  const found = operationAtPath(step["operationPath"]);
  return { ...step, ...Object.fromEntries(members), ...(found === undefined ? {} : { operationId: found }) };
}

/** Whether an entry overrides another: the same name, and for a parameter the same location. */
function isSameEntry(left: JsonObject, right: JsonObject): boolean {
  return left["name"] === right["name"] && left["in"] === right["in"];
}

function resolvedList(
  { source, path, problems }: Place,
  list: Json | undefined,
  kind: "parameters" | "successActions" | "failureActions",
  member: string = kind,
): readonly JsonObject[] {
  const known = objectOf(objectOf(objectOf(source.value)["components"])[kind]);
  return objectsOf(list).map((entry, index) => {
    if (entry["reference"] === undefined) return entry;
    const reference = textOf(entry["reference"]);
    const name = reference.startsWith(`$components.${kind}.`) ? reference.slice(`$components.${kind}.`.length) : "";
    if (!Object.hasOwn(known, name)) {
      const problem = `${JSON.stringify(reference)} names no entry of components.${kind}`;
      const names = Object.keys(known).map((each) => `$components.${kind}.${each}`);
      const advice = names.length === 0 ? `Add it: components: { ${kind}: … }.` : advise(reference, names);
      problems.push(problemAt(source, [...path, member, index, "reference"], problem, advice));
    }
    const found = objectOf(known[name]);
    return entry["value"] === undefined || kind !== "parameters" ? found : { ...found, value: entry["value"] };
  });
}

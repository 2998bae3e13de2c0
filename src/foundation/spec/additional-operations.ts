import type { JsonObject } from "../json/json.ts";
import { objectsOf } from "../json/members.ts";
import { type Api, contracts, type Profile } from "./contracts.ts";
import { memberObject } from "./operation.ts";

/** What a release lacks of the additional operations. */
type Lacking = Pick<Profile, "lacks" | "lacksMembers">;

/** Adds the additional operations that a release has to a description (`contracts/additional-operations.yaml`). */
export function withAdditionalOperations(
  api: Api,
  description: JsonObject,
  { lacks = [], lacksMembers = [] }: Lacking,
): JsonObject {
  const paths: Record<string, JsonObject> = { ...objectsIn(memberObject(description, "paths")) };
  for (const [path, item] of Object.entries(objectsIn(memberObject(contracts.additionalOperations, "paths"))))
    if (apiOf(path) === api) paths[path] = { ...paths[path], ...marked(item, lacks, lacksMembers) };
  for (const path of Object.keys(paths)) if (Object.keys(paths[path] ?? {}).length === 0) delete paths[path];
  return { ...description, paths, components: withoutMembers(mergedComponents(description), lacksMembers) };
}

/** Validator and scan belong to the release of the registry. */
function apiOf(path: string): Api {
  return /^\/(?:registry|api\/(?:validator|scan))\//.test(path) ? "registry" : "ledger";
}

function marked(item: JsonObject, lacks: readonly string[], lacksMembers: readonly string[]): JsonObject {
  const known = Object.entries(objectsIn(item)).filter(([, { operationId }]) => !lacks.includes(String(operationId)));
  const operations = known.map(([method, operation]) => {
    const { operationId, parameters } = operation;
    const has = ({ name }: JsonObject) => !lacksMembers.includes(`${operationId}.${name}`);
    const kept = parameters === undefined ? {} : { parameters: objectsOf(parameters).filter(has) };
    return [method, { ...operation, ...kept, "x-additional operation": true }] as const;
  });
  return Object.fromEntries(operations);
}

function withoutMembers(components: JsonObject, members: readonly string[]): JsonObject {
  if (members.length === 0) return components;
  const schemas = objectsIn(memberObject(components, "schemas"));
  for (const [schema = "", member = ""] of members.map((name) => name.split("."))) {
    if (schemas[schema] === undefined) continue;
    const { [member]: _, ...properties } = memberObject(schemas[schema], "properties");
    schemas[schema] = { ...schemas[schema], properties };
  }
  return { ...components, schemas };
}

function mergedComponents(description: JsonObject): JsonObject {
  const [own, added] = [
    memberObject(description, "components"),
    memberObject(contracts.additionalOperations, "components"),
  ];
  const kinds = new Set([...Object.keys(own), ...Object.keys(added)]);
  return Object.fromEntries(
    [...kinds].map((kind) => [kind, { ...memberObject(added, kind), ...memberObject(own, kind) }]),
  );
}

function objectsIn(value: JsonObject): Record<string, JsonObject> {
  return Object.fromEntries(Object.keys(value).map((name) => [name, memberObject(value, name)]));
}

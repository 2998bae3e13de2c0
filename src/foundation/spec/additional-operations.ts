import type { JsonObject } from "../json/json.ts";
import { type Api, contracts } from "./contracts.ts";
import { memberObject } from "./operation.ts";

/** Adds the additional operations to a description (`contracts/additional-operations.yaml`). */
export function withAdditionalOperations(api: Api, description: JsonObject, lacks: readonly string[]): JsonObject {
  const paths: Record<string, JsonObject> = { ...objectsIn(memberObject(description, "paths")) };
  for (const [path, item] of Object.entries(objectsIn(memberObject(contracts.additionalOperations, "paths"))))
    if (apiOf(path) === api) paths[path] = { ...paths[path], ...marked(item, lacks) };
  for (const path of Object.keys(paths)) if (Object.keys(paths[path] ?? {}).length === 0) delete paths[path];
  return { ...description, paths, components: mergedComponents(description) };
}

function apiOf(path: string): Api {
  return path.startsWith("/registry/") ? "registry" : "ledger";
}

function marked(item: JsonObject, lacks: readonly string[]): JsonObject {
  const known = Object.entries(objectsIn(item)).filter(([, { operationId }]) => !lacks.includes(String(operationId)));
  const operations = known.map(
    ([method, operation]) => [method, { ...operation, "x-additional operation": true }] as const,
  );
  return Object.fromEntries(operations);
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

function objectsIn(value: JsonObject): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(Object.keys(value).map((name) => [name, memberObject(value, name)]));
}

import type { Json, JsonObject } from "../json/json.ts";
import type { DisabledFeature } from "./contracts.ts";
import { memberObject } from "./operation.ts";

/** Where the setting of a node that enables a deprecated feature is, in texts of a node. */
export const deprecatedSettings = "canton.participants.<participant>.features.deprecated";

/** Marks the operations that a release disables by default as deprecated, in the words of its own description (Canton 3.6.1, openapi.yaml). */
export function withDeprecations(description: JsonObject, features: readonly DisabledFeature[] = []): JsonObject {
  if (features.length === 0) return description;
  const paths: Record<string, Json> = { ...memberObject(description, "paths") };
  for (const feature of features)
    for (const endpoint of feature.endpoints ?? []) {
      const [method = "", path = ""] = endpoint.split(" ");
      const item = memberObject(paths, path);
      const operation = memberObject(item, method.toLowerCase());
      if (operation["operationId"] === undefined) continue;
      const text = `${String(operation["description"])}\n\n${sentenceOf(feature, endpoint)}`;
      paths[path] = { ...item, [method.toLowerCase()]: { ...operation, deprecated: true, description: text } };
    }
  return { ...description, paths };
}

function sentenceOf({ feature, deprecatedIn, disabledSince, removedIn, instead }: DisabledFeature, endpoint: string) {
  return `Deprecated since Canton ${deprecatedIn}: disabled by default since Canton ${disabledSince} (re-enable temporarily with \`${deprecatedSettings}.${feature} = true\`) and will be removed in Canton ${removedIn}. Use ${instead?.[endpoint]} instead.`;
}

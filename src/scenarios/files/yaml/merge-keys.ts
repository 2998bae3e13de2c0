import { type Document, isAlias, isMap, isScalar, isSeq, type Pair, type YAMLMap } from "yaml";

// Merge keys of YAML: `<<: *defaults` adds the members of an object that the object around it does not have.

/** Whether a member is a merge key. In quotes, `<<` is a name like others. */
export function isMerge({ key }: Pair): boolean {
  return isScalar(key) && typeof key.value === "symbol";
}

/** The objects that a merge key names, the strongest first; undefined if one of its values is not an object. */
export function mergedMaps({ value }: Pair, resolve: (value: unknown) => unknown): readonly YAMLMap[] | undefined {
  const resolved = resolve(value);
  const all = isSeq(resolved) ? resolved.items.map(resolve) : [resolved];
  const maps = all.filter((each) => isMap(each));
  return maps.length === all.length ? maps : undefined;
}

/** Resolves the aliases of a document without errors. */
export function resolverOf(document: Document): (value: unknown) => unknown {
  return (value) => (isAlias(value) ? value.resolve(document) : value);
}

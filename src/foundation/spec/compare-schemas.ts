import type { JsonObject } from "../json/json.ts";
import { listOf, objectOf, objectsOf, textsOf } from "../json/members.ts";
import { valueAt } from "./operation.ts";

/** One difference between two schemas. */
export interface SchemaDifference {
  readonly kind: "member" | "value" | "required";
  readonly member: string;
  readonly value: string;
  readonly change: "added" | "removed";
  readonly isRequired: boolean;
}

/** A schema with the description that its references point into. */
interface Place {
  readonly schema: JsonObject;
  readonly description: JsonObject;
}

const depthMax = 32;
/** Schemas that alternatives and parts of one schema can have. */
const partsMax = 1000;
const referencesMax = 20;

/** Compares what two schemas show: members, required members and values, each pair of schemas once. */
export function compareSchemas(from: Place, to: Place): readonly SchemaDifference[] {
  const known = new Map<JsonObject, Set<JsonObject>>();
  const isKnown = (left: JsonObject, right: JsonObject): boolean => {
    const others = known.get(left) ?? new Set();
    known.set(left, others);
    const isOld = others.has(right);
    others.add(right);
    return isOld;
  };
  const walk = (left: JsonObject, right: JsonObject, path: string, depth: number): readonly SchemaDifference[] => {
    const before = follow(from.description, left);
    const after = follow(to.description, right);
    if (depth > depthMax || isKnown(before, after)) return [];
    const [was, is] = [partsOf(from.description, before), partsOf(to.description, after)];
    const below = (name: string) => (path === "" ? name : `${path}/${name}`);
    return [
      ...valueDifferences(was.values, is.values, path),
      ...memberDifferences(was, is, below),
      ...[...was.members].flatMap(([name, schema]) => {
        const other = is.members.get(name);
        return other === undefined ? [] : walk(schema, other, below(name), depth + 1);
      }),
      ...(was.element === undefined || is.element === undefined
        ? []
        : walk(was.element, is.element, below("*"), depth + 1)),
    ];
  };
  return walk(from.schema, to.schema, "", 0);
}

/** Follows the references of a schema, parameter or message; empty if the target is missing. */
export function follow(description: JsonObject, value: JsonObject): JsonObject {
  let followed = value;
  for (let count = 0; count < referencesMax; count += 1) {
    const reference = followed["$ref"];
    if (typeof reference !== "string") return followed;
    followed = reference.startsWith("#") ? objectOf(valueAt(description, reference.slice(1))) : {};
  }
  return {};
}

/** What a schema shows: its members, those that are required, its values, and its element if it is a list or map. */
interface Parts {
  readonly members: ReadonlyMap<string, JsonObject>;
  readonly required: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  readonly element: JsonObject | undefined;
}

/**
 * The parts of a schema with those of its alternatives, each schema once; a member of only some alternatives is not
 * required.
 */
function partsOf(description: JsonObject, schema: JsonObject, read: Set<JsonObject> = new Set()): Parts {
  const own: Parts = {
    members: new Map(Object.entries(objectOf(schema["properties"])).map(([name, member]) => [name, objectOf(member)])),
    required: new Set(textsOf(schema["required"])),
    values: new Set(
      listOf(schema["enum"])
        .filter((value) => value !== null)
        .map(String),
    ),
    element: [schema["items"], schema["additionalProperties"]]
      .map(objectOf)
      .find((found) => Object.keys(found).length > 0),
  };
  read.add(schema);
  const partsIn = (keyword: string) =>
    objectsOf(schema[keyword])
      .map((entry) => follow(description, entry))
      .filter((entry) => entry["type"] !== "null" && !read.has(entry) && read.size < partsMax)
      .map((entry) => partsOf(description, entry, read));
  const all = joined([own, ...partsIn("allOf")], (sets) => sets.reduce((left, right) => left.union(right), new Set()));
  const alternatives = [...partsIn("oneOf"), ...partsIn("anyOf")];
  if (alternatives.length === 0) return all;
  const any = joined(alternatives, ([first = new Set(), ...others]) =>
    others.reduce<ReadonlySet<string>>((left, right) => left.intersection(right), first),
  );
  return joined([all, any], (sets) => sets.reduce((left, right) => left.union(right), new Set()));
}

function joined(
  parts: readonly Parts[],
  requiredOf: (sets: readonly ReadonlySet<string>[]) => ReadonlySet<string>,
): Parts {
  return {
    members: new Map(parts.flatMap(({ members }) => [...members])),
    required: requiredOf(parts.map(({ required }) => required)),
    values: new Set(parts.flatMap(({ values }) => [...values])),
    element: parts.find(({ element }) => element !== undefined)?.element,
  };
}

function valueDifferences(
  was: ReadonlySet<string>,
  is: ReadonlySet<string>,
  member: string,
): readonly SchemaDifference[] {
  if (was.size === 0 || is.size === 0) return [];
  const found = { kind: "value", member, isRequired: false } as const;
  return [
    ...[...was.difference(is)].map((value) => ({ ...found, value, change: "removed" as const })),
    ...[...is.difference(was)].map((value) => ({ ...found, value, change: "added" as const })),
  ];
}

function memberDifferences(was: Parts, is: Parts, below: (name: string) => string): readonly SchemaDifference[] {
  if (was.members.size === 0 || is.members.size === 0) return [];
  return [...new Set([...was.members.keys(), ...is.members.keys()])].flatMap((name): readonly SchemaDifference[] => {
    const found = { member: below(name), value: "", isRequired: is.required.has(name) };
    if (!is.members.has(name)) return [{ ...found, kind: "member", change: "removed" }];
    if (!was.members.has(name)) return [{ ...found, kind: "member", change: "added" }];
    if (was.required.has(name) === is.required.has(name)) return [];
    return [{ ...found, kind: "required", change: found.isRequired ? "added" : "removed" }];
  });
}

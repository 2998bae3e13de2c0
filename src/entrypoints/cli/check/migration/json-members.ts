import { isJsonObject, type Json, type JsonObject } from "../../../../foundation/json/json.ts";

/** The member of a difference of two descriptions: names joined by `/`, `*` for an element of a list or map. */
type MemberPath = string;

/** Whether the JSON has the member, with a value other than null. */
export function hasMemberAt(json: Json | undefined, member: MemberPath): boolean {
  return valuesAt(json, member.split("/")).some((value) => value !== undefined && value !== null);
}

/** Whether the JSON has an object without the member where the member belongs. */
export function lacksMemberAt(json: Json | undefined, member: MemberPath): boolean {
  return valuesAt(json, member.split("/")).some((value) => value === undefined);
}

/** Whether the JSON has this value of an enum there. */
export function hasValueAt(json: Json | undefined, member: MemberPath, value: string): boolean {
  return valuesAt(json, member.split("/")).some((found) => found !== undefined && String(found) === value);
}

/** The values at a path; undefined for an object that lacks the last member. */
function valuesAt(json: Json | undefined, names: readonly string[]): readonly (Json | undefined)[] {
  const last = names.at(-1) ?? "";
  const parents = names
    .slice(0, -1)
    .reduce<readonly Json[]>((values, name) => values.flatMap(below(name)), [...(json === undefined ? [] : [json])]);
  if (last === "*") return parents.flatMap(below(last));
  return parents.filter(isJsonObject).map((parent) => own(parent, last));
}

function below(name: string): (value: Json) => readonly Json[] {
  return (value) => {
    if (name === "*") return Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
    const inner = isJsonObject(value) ? own(value, name) : undefined;
    return inner === undefined ? [] : [inner];
  };
}

function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Whether JSON has one of the members with a value, at any depth. */
export function hasMember(value: Json | undefined, names: ReadonlySet<string>): boolean {
  return hasValue(value, names, (inner) => inner !== null && inner !== "");
}

/** Whether JSON has one of the members with a text that passes, at any depth. */
export function hasText(
  value: Json | undefined,
  names: ReadonlySet<string>,
  passes: (text: string) => boolean,
): boolean {
  return hasValue(value, names, (inner) => typeof inner === "string" && passes(inner));
}

function hasValue(value: Json | undefined, names: ReadonlySet<string>, passes: (value: Json) => boolean): boolean {
  if (Array.isArray(value)) return value.some((entry) => hasValue(entry, names, passes));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([name, inner]) => (names.has(name) && passes(inner)) || hasValue(inner, names, passes),
  );
}

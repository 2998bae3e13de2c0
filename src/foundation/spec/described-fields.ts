import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";
import { listOf, objectOf } from "../json/members.ts";
import { valueAt } from "./operation.ts";

/** A member that the spec describes without showing its JSON name (`x-described-fields`). */
export interface DescribedField {
  /** The names that profile `spec` accepts; the first is that of the releases. */
  readonly names: readonly string[];
  readonly isRequired: boolean;
  /** JSON pointer of its schema. */
  readonly schema: string;
}

/** Gives the described fields of the schema at a JSON pointer. */
export type DescribedFieldsOf = (schemaPointer: string) => readonly DescribedField[];

export function createDescribedFields(description: JsonObject): DescribedFieldsOf {
  const known = new Map<string, readonly DescribedField[]>();
  return (schemaPointer) => {
    const fields = known.get(schemaPointer) ?? fieldsAt(description, schemaPointer);
    known.set(schemaPointer, fields);
    return fields;
  };
}

function fieldsAt(description: JsonObject, pointer: string): readonly DescribedField[] {
  const schema = objectOf(valueAt(description, pointer));
  const reference = schema["$ref"];
  if (typeof reference === "string") return fieldsAt(description, reference.slice(1));
  return listOf(schema["x-described-fields"]).map((entry, index) => ({
    names: listOf(objectOf(entry)["x-decided-names"]).map(String),
    isRequired: objectOf(entry)["required"] === true,
    schema: `${pointer}/x-described-fields/${index}/schema`,
  }));
}

/** The body with the first name of each described field. Of several names of one field the last one remains. */
export function withFirstNames(fields: readonly DescribedField[], body: Json | undefined): Json | undefined {
  if (fields.length === 0 || !isJsonObject(body)) return body;
  const others = new Map(
    fields.flatMap(({ names: [first = "", ...more] }) => more.map((name) => [name, first] as const)),
  );
  if (!Object.keys(body).some((name) => others.has(name))) return body;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [others.get(name) ?? name, value]));
}

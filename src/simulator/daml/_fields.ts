import type { DamlField, DamlValue } from "../../foundation/protobuf/daml-value.ts";
import { unitsOf } from "../registry/amount.ts";

// Builds and reads values of records by their labels.

export function record(...fields: readonly DamlField[]): DamlValue {
  return { type: "record", fields };
}

export function party(value: string): DamlValue {
  return { type: "party", value };
}

export function parties(values: readonly string[]): DamlValue {
  return { type: "list", elements: values.map(party) };
}

export function text(value: string): DamlValue {
  return { type: "text", value };
}

export function numeric(value: string): DamlValue {
  return { type: "numeric", value };
}

export function int64(value: bigint): DamlValue {
  return { type: "int64", value };
}

export function variant(constructorName: string, value: DamlValue): DamlValue {
  return { type: "variant", constructorName, value };
}

export function contractId(value: string): DamlValue {
  return { type: "contract-id", value };
}

export function contractIds(values: readonly string[]): DamlValue {
  return { type: "list", elements: values.map(contractId) };
}

export function timestamp(micros: bigint): DamlValue {
  return { type: "timestamp", value: micros };
}

export function some(value: DamlValue | undefined): DamlValue {
  return { type: "optional", value };
}

/** The metadata of the token standard without entries. */
export const noMetadata: DamlValue = record(["values", { type: "text-map", entries: [] }]);

/** Metadata with keys of Splice, in ascending order. */
export function spliceMetadata(...entries: readonly (readonly [key: string, value: string])[]): DamlValue {
  const named = entries.map(([key, value]) => [`splice.lfdecentralizedtrust.org/${key}`, text(value)] as const);
  return record(["values", { type: "text-map", entries: named }]);
}

/** The field at a path of labels, or undefined. Unwraps optional values on the way. */
export function fieldOf(value: DamlValue | undefined, ...labels: readonly string[]): DamlValue | undefined {
  let found = value;
  for (const label of labels) {
    if (found?.type === "optional") found = found.value;
    if (found?.type !== "record") return undefined;
    found = found.fields.find(([name]) => name === label)?.[1];
  }
  return found?.type === "optional" ? found.value : found;
}

/** Fields of a record, to copy them; a missing one has no value. */
export function fieldsOf(value: DamlValue | undefined, ...labels: readonly string[]): readonly DamlField[] {
  const fields = value?.type === "record" ? value.fields : [];
  return labels.map((label) => fields.find(([name]) => name === label) ?? [label, some(undefined)]);
}

/** The text of a party, text, decimal or contract id; empty for anything else. */
export function textAt(value: DamlValue | undefined, ...labels: readonly string[]): string {
  const found = fieldOf(value, ...labels);
  switch (found?.type) {
    case "party":
    case "text":
    case "numeric":
    case "contract-id":
      return found.value;
    default:
      return "";
  }
}

export function textsAt(value: DamlValue | undefined, ...labels: readonly string[]): readonly string[] {
  const found = fieldOf(value, ...labels);
  return found?.type === "list" ? found.elements.map((element) => textAt(element)) : [];
}

/** Microseconds since the epoch; undefined unless the field is a timestamp. */
export function microsAt(value: DamlValue | undefined, ...labels: readonly string[]): bigint | undefined {
  const found = fieldOf(value, ...labels);
  return found?.type === "timestamp" ? found.value : undefined;
}

export function int64At(value: DamlValue | undefined, ...labels: readonly string[]): bigint | undefined {
  const found = fieldOf(value, ...labels);
  return found?.type === "int64" ? found.value : undefined;
}

/** The units of an amount: a decimal, or an integer or text of a fixture. Undefined for anything else. */
export function unitsAt(value: DamlValue | undefined, ...labels: readonly string[]): bigint | undefined {
  const found = fieldOf(value, ...labels);
  return unitsOf(found?.type === "int64" ? found.value.toString() : textAt(found));
}

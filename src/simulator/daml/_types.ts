import type { DamlType } from "./daml-type.ts";

// Types of arguments.

export const text: DamlType = { type: "text" };
export const party: DamlType = { type: "party" };
export const numeric: DamlType = { type: "numeric" };
export const timestamp: DamlType = { type: "timestamp" };
export const int64: DamlType = { type: "int64" };
export const contractId: DamlType = { type: "contract-id" };
export const parties: DamlType = { type: "list", inner: party };

export function list(inner: DamlType): DamlType {
  return { type: "list", inner };
}

export function optional(inner: DamlType): DamlType {
  return { type: "optional", inner };
}

export function record(fields: Readonly<Record<string, DamlType>>): DamlType {
  return { type: "record", fields: Object.entries(fields) };
}

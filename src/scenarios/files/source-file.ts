import type { PackedArchive } from "../../daml/archives/packed-archive.ts";
import type { Json } from "../../foundation/json/json.ts";

/** A place in a file; both numbers count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export type ValuePath = readonly (string | number)[];

/** A parsed YAML or JSON file. It knows the place of each value. */
export interface SourceFile {
  readonly name: string;
  readonly value: Json;
  /** Name of the part that the value is, if it is not the whole file: `x-understudy`, or `targets.staging`. */
  readonly part?: string;
  /** The archives of packages that a ledger fixture names, by package id. */
  readonly archives?: ReadonlyMap<string, PackedArchive>;
  /** Whether the file was checked before and has no problems. */
  readonly isChecked?: boolean;
  /** The place of the value at a path, or of the name of the member. If the value is missing, the place of the value around it. */
  placeOf(path: ValuePath, part?: "value" | "name"): Place;
}

import type { Json } from "../../foundation/json/json.ts";

/** A parsed YAML or JSON file. It knows the line of each value. */
export interface SourceFile {
  readonly name: string;
  readonly value: Json;
  /** Whether the file was checked before and has no problems. */
  readonly isChecked?: boolean;
  /** The line of the value at a path, counted from 1. */
  lineOf(path: readonly (string | number)[]): number;
}

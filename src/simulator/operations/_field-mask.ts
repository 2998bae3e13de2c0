import type { Json } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";

// A field mask in the form of the JSON API: an object with paths in protobuf notation (Canton 3.5, openapi.yaml).

export function pathsOf(mask: Json | undefined): readonly string[] {
  const paths = objectOf(mask)["paths"];
  return Array.isArray(paths) ? paths.map(textOf) : [];
}

/** The problem with the paths of a mask; undefined if they are valid. */
export function maskProblem(paths: readonly string[], known: ReadonlySet<string>): string | undefined {
  if (paths.length === 0) return "The update mask contains no entries";
  const misnamed = paths.find((path) => !known.has(path));
  if (misnamed !== undefined) return `The update mask path ${JSON.stringify(misnamed)} is unknown`;
  const repeated = paths.find((path, index) => paths.indexOf(path) !== index);
  return repeated === undefined ? undefined : `The update mask path ${JSON.stringify(repeated)} is given twice`;
}

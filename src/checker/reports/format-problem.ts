import type { ErrorObject } from "ajv/dist/2020.js";

/** The problem of a file in another version of its format than the known one; undefined for a file without a version. */
export function versionProblem(value: unknown, known: number): string | undefined {
  if (typeof value !== "object" || value === null || !("version" in value)) return undefined;
  const { version } = value;
  if (typeof version !== "number" || version === known) return undefined;
  const remedy = version > known ? "Update canton-understudy" : "Write the file again";
  return `it has version ${version} of the format, and this canton-understudy reads version ${known}. ${remedy}`;
}

/** The first difference of a file from its schema. */
export function schemaProblem(error: ErrorObject | undefined): string {
  const place = error?.instancePath || "it";
  const missing: unknown = error?.params["missingProperty"];
  if (typeof missing === "string") return `${place} has no member ${JSON.stringify(missing)}`;
  const unknown: unknown = error?.params["additionalProperty"];
  if (typeof unknown === "string")
    return `${place} has the unknown member ${JSON.stringify(unknown)}; a newer canton-understudy may have written it`;
  return `${place} ${error?.message ?? "does not match the schema"}`;
}

import { checkSchema, type SchemaName } from "../../../scenarios/files/check-schema.ts";
import { formatProblem } from "../../../scenarios/files/problem.ts";
import { readYaml } from "../../../scenarios/files/read-yaml.ts";
import type { SourceFile } from "../../../scenarios/files/source-file.ts";
import { UserError } from "../user-error.ts";

/** A text that has the schema of its kind. Throws a UserError with all its problems. */
export function checkedSource(kind: SchemaName, name: string, text: string): SourceFile {
  const read = readYaml(name, text);
  const problems = read.type === "invalid" ? read.problems : checkSchema(kind, read.source);
  if (read.type === "invalid" || problems.length > 0) throw new UserError(problems.map(formatProblem).join("\n"));
  return read.source;
}

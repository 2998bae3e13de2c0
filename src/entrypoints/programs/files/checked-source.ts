import type { Problem } from "../../../scenarios/files/problem.ts";
import { readYaml } from "../../../scenarios/files/read-yaml.ts";
import type { SourceFile } from "../../../scenarios/files/source-file.ts";
import { errorOfFiles } from "./error-of-files.ts";

/** A text without problems. Throws a UserError with all that it has. */
export function checkedSource(
  problemsOf: (source: SourceFile) => readonly Problem[],
  name: string,
  text: string,
): SourceFile {
  const read = readYaml(name, text);
  const problems = read.type === "invalid" ? read.problems : problemsOf(read.source);
  if (read.type === "invalid" || problems.length > 0) throw errorOfFiles(problems);
  return read.source;
}

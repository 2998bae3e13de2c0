import { isJsonObject } from "../../../foundation/json/json.ts";
import { checkSchema } from "../../../scenarios/files/check-schema.ts";
import { type Problem, problemAt, withoutFollowing } from "../../../scenarios/files/problem.ts";
import type { SourceFile } from "../../../scenarios/files/source-file.ts";
import { baseUrlProblem } from "../flags/base-url.ts";

/** The problems of a file that describes a target. */
export function targetFileProblems(source: SourceFile): readonly Problem[] {
  const { value } = source;
  const urls = ["ledger", "registry"].flatMap((api) => {
    const url = isJsonObject(value) ? value[api] : undefined;
    const problem = typeof url === "string" && url !== "" ? baseUrlProblem(url) : undefined;
    return problem === undefined ? [] : [problemAt(source, [api], `${api} ${problem}`, "Correct the base URL.")];
  });
  return withoutFollowing(checkSchema("target", source), urls);
}

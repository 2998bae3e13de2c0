import { objectOf, textOf } from "../../../foundation/json/members.ts";
import { checkSchema } from "../../../scenarios/files/check-schema.ts";
import {
  formatProblem,
  type Problem,
  pathText,
  problemAt,
  withoutFollowing,
} from "../../../scenarios/files/problem.ts";
import type { SourceFile } from "../../../scenarios/files/source-file.ts";
import { UserError } from "../user-error.ts";
import { baseUrlProblem } from "./base-url.ts";

/** The problems of a file that describes a target. */
export function targetFileProblems(source: SourceFile): readonly Problem[] {
  return withoutFollowing(checkSchema("target", source), baseUrlProblems(source));
}

/** The problems of the base URLs in the targets of a config file. */
export function configTargetProblems(source: SourceFile): readonly Problem[] {
  return Object.entries(objectOf(objectOf(source.value)["targets"])).flatMap(([name, value]) =>
    baseUrlProblems({
      ...source,
      value,
      part: `targets.${name}`,
      placeOf: (path, part) => source.placeOf(["targets", name, ...path], part),
    }),
  );
}

/** A description of a target whose base URLs are valid. Throws a UserError with their problems. */
export function withBaseUrls(source: SourceFile): SourceFile {
  const problems = baseUrlProblems(source);
  if (problems.length > 0) throw new UserError(problems.map(formatProblem).join("\n"));
  return source;
}

function baseUrlProblems(source: SourceFile): readonly Problem[] {
  return ["ledger", "registry"].flatMap((api) => {
    const url = textOf(objectOf(source.value)[api]);
    const problem = url === "" ? undefined : baseUrlProblem(url);
    return problem === undefined
      ? []
      : [problemAt(source, [api], `${pathText(source, [api])} ${problem}`, "Correct the base URL.")];
  });
}

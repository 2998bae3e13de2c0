import { plainMask } from "../../foundation/secrets/mask.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import type { SourceFile, ValuePath } from "./source-file.ts";

/** A problem in a file of the user: where it is, what is wrong, and what to do. */
export interface Problem {
  readonly file: string;
  /** Counted from 1; undefined for a problem of the whole file, whose text then names the file. */
  readonly line: number | undefined;
  /** Counted from 1; undefined where the line is. */
  readonly column: number | undefined;
  readonly problem: string;
  readonly advice: string;
  /** The lines around it with a mark, for an error of syntax. */
  readonly excerpt?: readonly string[];
}

/** What is wrong and what to do, without the place. */
export type ProblemText = Pick<Problem, "problem" | "advice">;

/** A problem of the value at a path. */
export function problemAt(source: SourceFile, path: ValuePath, problem: string, advice: string): Problem {
  return { file: source.name, ...source.placeOf(path), problem, advice };
}

/** A path as problems write it: `x-understudy.plan.0`. */
export function pathText({ part }: Pick<SourceFile, "part">, path: ValuePath): string {
  return [...(part === undefined ? [] : [part]), ...path].join(".");
}

/** The problem of a missing file; `near` is the name of an existing one that resembles it. */
export function missingFile(
  file: string,
  near: string | undefined,
  otherwise = "Check the path; it is relative to the working directory.",
): ProblemText {
  if (/^https?:\/\//i.test(file))
    return {
      problem: `${plainMask(file)} is a URL, not a file`,
      advice: "A flag names a live target: run --against URL, check --ledger URL, pact check --broker URL.",
    };
  const advice = near === undefined ? otherwise : `Did you mean ${JSON.stringify(near)}?`;
  return { problem: `File not found: ${file}`, advice };
}

/** Limit of listed problems per file, since finding the line of each takes time. */
export const problemsMax = 50;

/**
 * The first problems, and one that counts the rest; a single remaining one is listed itself. `further` is a number of
 * problems behind these.
 */
export function firstOf<Wrong>(
  wrong: readonly Wrong[],
  problemOf: (one: Wrong) => Problem,
  further = 0,
): readonly Problem[] {
  if (wrong.length + further <= problemsMax + 1) return wrong.map(problemOf);
  const problems = wrong.slice(0, problemsMax).map(problemOf);
  const { file = "", line = 1, column = 1 } = problems.at(-1) ?? {};
  const problem = `${wrong.length + further - problemsMax} more problems in the file`;
  return [...problems, { file, line, column, problem, advice: "Correct the listed problems first." }];
}

/** The problems of an earlier check, and those of a later one at other places: at the same place they follow from it. */
export function withoutFollowing(earlier: readonly Problem[], later: readonly Problem[]): readonly Problem[] {
  if (earlier.length === 0) return later;
  const placeOf = ({ file, line, column }: Problem) => `${line}:${column} ${file}`;
  const places = new Set(earlier.map(placeOf));
  return [...earlier, ...later.filter((problem) => !places.has(placeOf(problem)))];
}

/** The problems of a file in the order of their places. */
export function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted(
    (left, right) => (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0),
  );
}

/** A problem as text. Control characters from the file are replaced, to protect the terminal. */
export function formatProblem({ file, line, column, excerpt = [], ...text }: Problem): string {
  const place = line === undefined ? "" : `${printed(file)}:${line}:${column}: `;
  return [`${place}${problemText(text)}`, ...excerpt].join("\n");
}

/** A problem without its location as a line of text. */
export function problemText({ problem, advice }: ProblemText): string {
  return printed(`${shortened(problem)}. ${shortened(advice)}`);
}

/** Replaces control, format and separator characters, and lone surrogates. */
function printed(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\uFFFD");
}

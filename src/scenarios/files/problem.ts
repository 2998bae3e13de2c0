/** A problem in a file of the user: where it is, what is wrong, and what to do. Lines count from 1. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly problem: string;
  readonly advice: string;
}

/** Problems of a file that are told; nobody reads more, and finding the line of each takes time. */
export const problemsMax = 50;

/** The problems for the first of the things that are wrong, and one that counts the others; a single other is told itself. */
export function firstOf<Wrong>(wrong: readonly Wrong[], problemOf: (one: Wrong) => Problem): readonly Problem[] {
  if (wrong.length <= problemsMax + 1) return wrong.map(problemOf);
  const problems = wrong.slice(0, problemsMax).map(problemOf);
  const { file = "", line = 1 } = problems.at(-1) ?? {};
  const problem = `${wrong.length - problemsMax} more problems in the file`;
  return [...problems, { file, line, problem, advice: "Correct the listed problems first." }];
}

/** Characters of what is wrong, and of what to do, that are shown: either may repeat what the file says. */
const partLengthMax = 2000;

/** A problem as a line for people. What a file says must not drive their terminal. */
export function formatProblem({ file, line, ...told }: Problem): string {
  return `${printed(file)}:${line}: ${problemText(told)}`;
}

/** The same of a problem that is in no file. */
export function problemText({ problem, advice }: Pick<Problem, "problem" | "advice">): string {
  return printed(`${shortened(problem)}. ${shortened(advice)}`);
}

function shortened(text: string): string {
  return text.length <= partLengthMax ? text : `${text.slice(0, partLengthMax)}…`;
}

/** Without control, format and separator characters, and without halves of characters. */
function printed(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\uFFFD");
}

/** A problem in a file of the user: where it is, what is wrong, and what to do. Lines count from 1. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly problem: string;
  readonly advice: string;
}

/** Limit of listed problems per file, since finding the line of each takes time. */
export const problemsMax = 50;

/** The first problems, and one that counts the rest; a single remaining one is listed itself. */
export function firstOf<Wrong>(wrong: readonly Wrong[], problemOf: (one: Wrong) => Problem): readonly Problem[] {
  if (wrong.length <= problemsMax + 1) return wrong.map(problemOf);
  const problems = wrong.slice(0, problemsMax).map(problemOf);
  const { file = "", line = 1 } = problems.at(-1) ?? {};
  const problem = `${wrong.length - problemsMax} more problems in the file`;
  return [...problems, { file, line, problem, advice: "Correct the listed problems first." }];
}

/** Limit of a problem text and of an advice, in characters: they may quote the file. */
const partLengthMax = 2000;

/** A problem as a line of text. Control characters from the file are replaced, to protect the terminal. */
export function formatProblem({ file, line, ...text }: Problem): string {
  return `${printed(file)}:${line}: ${problemText(text)}`;
}

/** A problem without its location as a line of text. */
export function problemText({ problem, advice }: Pick<Problem, "problem" | "advice">): string {
  return printed(`${shortened(problem)}. ${shortened(advice)}`);
}

/** A text that may quote a file, up to a limit. */
export function shortened(text: string): string {
  return text.length <= partLengthMax ? text : `${text.slice(0, partLengthMax)}…`;
}

/** Replaces control, format and separator characters, and lone surrogates. */
function printed(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\uFFFD");
}

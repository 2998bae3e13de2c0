/** A mistake in a file of the user: where it is, what is wrong, and what to do. Lines count from 1. */
export interface Mistake {
  readonly file: string;
  readonly line: number;
  readonly problem: string;
  readonly advice: string;
}

/** Mistakes of a file that are told; nobody reads more, and finding the line of each takes time. */
export const mistakesMax = 50;

/** The mistakes for the first of the things that are wrong, and one that counts the others; a single other is told itself. */
export function firstOf<Wrong>(wrong: readonly Wrong[], mistakeOf: (one: Wrong) => Mistake): readonly Mistake[] {
  if (wrong.length <= mistakesMax + 1) return wrong.map(mistakeOf);
  const mistakes = wrong.slice(0, mistakesMax).map(mistakeOf);
  const { file = "", line = 1 } = mistakes.at(-1) ?? {};
  const problem = `there are ${wrong.length - mistakesMax} more mistakes in the file`;
  return [...mistakes, { file, line, problem, advice: "Correct those that are told first." }];
}

/** Characters of what is wrong, and of what to do, that are shown: either may repeat what the file says. */
const partLengthMax = 2000;

/** A mistake as a line for people. What a file says must not drive their terminal. */
export function formatMistake({ file, line, ...told }: Mistake): string {
  return `${printed(file)}:${line}: ${formatProblem(told)}`;
}

/** The same of a mistake that is in no file. */
export function formatProblem({ problem, advice }: Pick<Mistake, "problem" | "advice">): string {
  return printed(`${shortened(problem)}. ${shortened(advice)}`);
}

function shortened(text: string): string {
  return text.length <= partLengthMax ? text : `${text.slice(0, partLengthMax)}…`;
}

/** Without control, format and separator characters, and without halves of characters. */
function printed(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\uFFFD");
}

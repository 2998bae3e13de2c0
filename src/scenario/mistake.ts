/** A mistake in a file of the user: where it is, what is wrong, and what to do. Lines count from 1. */
export interface Mistake {
  readonly file: string;
  readonly line: number;
  readonly problem: string;
  readonly advice: string;
}

export function formatMistake({ file, line, problem, advice }: Mistake): string {
  return `${file}:${line}: ${problem}. ${advice}`;
}

/** A line of the result: the same figure of several subjects, a number for each round. */
export interface Row {
  readonly name: string;
  readonly title: string;
  readonly unit: "requests/s" | "µs" | "ms" | "s" | "MB" | "bytes" | "×";
  readonly values: Values;
}

export type Values = ReadonlyMap<Subject, readonly number[]>;

/** What is measured, in the order of the columns. README.md says what the reference of each case is. */
export const subjects = {
  understudy: "Understudy",
  before: "before",
  reference: "reference",
  prism: "Prism",
  mockoon: "Mockoon",
  wiremock: "WireMock",
  specmatic: "Specmatic",
  msw: "MSW",
} as const;

export type Subject = keyof typeof subjects;

/** Figures by name, of one measurement of one subject. */
export type Figures = Readonly<Record<string, number>>;

/** Measures each subject in turn, round after round, so that a change of the machine affects all. Gives the values of a figure. */
export async function inTurns(
  rounds: number,
  runs: ReadonlyMap<Subject, (round: number) => Promise<Figures>>,
): Promise<(figure: string) => Values> {
  const found = [...runs.keys()].map((subject): [Subject, Figures[]] => [subject, []]);
  const measured = new Map(found);
  for (let round = 1; round <= rounds; round += 1)
    for (const [subject, run] of runs) measured.get(subject)?.push(await run(round));
  return (figure) =>
    new Map(
      found.map(([subject, all]) => [subject, all.flatMap((each) => (figure in each ? [each[figure] ?? 0] : []))]),
    );
}

/** The median; NaN for an empty list. */
export function median(numbers: readonly number[] = []): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The percentile by nearest rank; NaN for an empty list. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = Float64Array.from(numbers).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

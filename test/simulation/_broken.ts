/** A broken invariant of a walk, by name; shrinking keeps the name. `what` has the details. */
export interface FailedResponse {
  readonly invariant: string;
  readonly what: string;
}

/** The problems of an invariant, with its name. */
export function brokenBy(invariant: string, problems: readonly string[]): readonly FailedResponse[] {
  return problems.map((what) => ({ invariant, what }));
}

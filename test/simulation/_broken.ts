/** What a walk found wrong: the name says of what kind, and shrinking keeps to it; `what` says more. */
export interface FailedResponse {
  readonly invariant: string;
  readonly what: string;
}

/** What an invariant found, with its name before it. */
export function brokenBy(invariant: string, problems: readonly string[]): readonly FailedResponse[] {
  return problems.map((what) => ({ invariant, what }));
}

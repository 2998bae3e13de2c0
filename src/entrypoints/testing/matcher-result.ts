/** What a matcher says, in the form that vitest and Jest take. */
export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

/** Result of a custom matcher, in the form of vitest and Jest. */
export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

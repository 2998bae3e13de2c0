/** A regular expression with Unicode. Patterns of other dialects escape more characters, such as `\\-`, which needs the mode without. */
export function patternOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

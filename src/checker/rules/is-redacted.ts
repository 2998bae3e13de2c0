// Two patterns: one with both alternatives would look for a word at every character of a long text.
const mark = /[*<>()[\]{}…]/;
const word = /^(?:\w+\s+)?(?:redacted|masked|removed|hidden|filtered|secret|token|x+)$/i;

/**
 * Whether the text looks like a redacted value that replaces every secret alike. `token-1` is a pseudonym and is not
 * redacted.
 */
export function isRedacted(text: string): boolean {
  return mark.test(text) || word.test(text);
}

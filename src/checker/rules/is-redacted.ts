const placeholder = /[*<>()[\]{}…]|^(?:\w+\s+)?(?:redacted|masked|removed|hidden|filtered|secret|token|x+)$/i;

/** Whether a recorder may have put this in the place of every secret: it tells nobody apart. `token-1` is one of several. */
export function isRedacted(text: string): boolean {
  return placeholder.test(text);
}

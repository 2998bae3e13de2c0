/** A text as a pattern that matches only this text, with and without the flag `u`. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^$()[\]{}|\\]/g, "\\$&");
}

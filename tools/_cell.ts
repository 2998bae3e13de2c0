/** A text in a cell of a Markdown table, on one line. Outside of code, `<` would begin an element. */
export function cell(text: string): string {
  const shown = text.replaceAll(/`[^`]*`|</g, (part) => (part === "<" ? "&lt;" : part));
  return shown.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim();
}

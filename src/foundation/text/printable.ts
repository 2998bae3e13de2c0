/** In one line, without control and format characters: what a target sent must not drive the terminal or turn the text around. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "�");
}

/** Printable text of several lines. It is well-formed, and holds nothing that XML forbids. */
export function printableLines(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(/[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\uFFFE\uFFFF]/gu, "�");
}

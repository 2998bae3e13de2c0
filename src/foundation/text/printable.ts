/** Text in one line without control and format characters, so that data of a target cannot control the terminal or reverse the text. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "�");
}

/** Printable text of several lines: well-formed, without characters that XML forbids. */
export function printableLines(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(/[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\uFFFE\uFFFF]/gu, "�");
}

/**
 * Text in one line without control and format characters, so that data of a target cannot control the terminal, reverse the
 * text, or give a command to the CI system that reads the log.
 */
export function printable(text: string): string {
  return withoutCommands(text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "�"));
}

/** Printable text of several lines: well-formed, without characters that XML forbids. */
export function printableLines(text: string): string {
  return withoutCommands(
    text.replaceAll(/\r\n|[\v\f\x85\u2028\u2029]/g, "\n").replaceAll(/[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\uFFFE\uFFFF]/gu, "�"),
  );
}

/**
 * Parts the characters of workflow commands with a blank: `::error …` at the start of a line (GitHub), and `##vso[…]`,
 * `##teamcity[…]` or `##[…]` anywhere (Azure Pipelines, TeamCity).
 */
function withoutCommands(text: string): string {
  return text.replaceAll(/^([^\S\n]*):(?=:)/gm, "$1: ").replaceAll(/#(?=#\w*\[)/g, "# ");
}

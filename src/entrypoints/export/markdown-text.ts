/** Escapes a text for a line of Markdown, so that it contains no markup and no HTML. */
export function plainText(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line
    .replaceAll(/[\\`*_{}[\]<>()#!|~$]/g, (character) => `\\${character}`)
    .replaceAll("&", "&amp;")
    .replace(/^([-+]|\d+[.)])(?=\s|$)/, "\\$1")
    .replace(/^=/, "\\=");
}

/** A code span. Its marks are longer than any run of backticks in the text. */
export function codeSpan(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  const marks = "`".repeat(longestRun(line) + 1);
  const space = line.startsWith("`") || line.endsWith("`") || line === "" ? " " : "";
  return `${marks}${space}${line}${space}${marks}`;
}

/** A code block. Its fence is longer than any run of backticks in the text. */
export function codeBlock(language: string, text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text.replaceAll(/\r\n?/g, "\n")}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

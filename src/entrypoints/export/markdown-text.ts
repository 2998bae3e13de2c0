/** Text that a Markdown reader shows as it is: no markup, no HTML, no line of its own. */
export function plainText(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line
    .replaceAll(/[\\`*_{}[\]<>()#!|~$]/g, (character) => `\\${character}`)
    .replaceAll("&", "&amp;")
    .replace(/^([-+]|\d+[.)])(?=\s|$)/, "\\$1")
    .replace(/^=/, "\\=");
}

/** A text in code marks that nothing in it can close. */
export function codeSpan(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  const marks = "`".repeat(longestRun(line) + 1);
  const space = line.startsWith("`") || line.endsWith("`") || line === "" ? " " : "";
  return `${marks}${space}${line}${space}${marks}`;
}

/** Lines in a fence that nothing in them can close. */
export function codeBlock(language: string, text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text.replaceAll(/\r\n?/g, "\n")}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

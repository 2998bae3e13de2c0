/**
 * Formats a value as JSON. Control and format characters are escaped, so that texts of a target cannot control a terminal
 * or reverse the text direction. Parsing gives the same value.
 */
export function jsonText(value: object): string {
  return `${JSON.stringify(value, undefined, 2).replaceAll(/[^\P{Cc}\n]|\p{Cf}/gu, escapeOf)}\n`;
}

function escapeOf(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/**
 * JSON for people and machines. Control and format characters are escaped, so that what a target sent neither drives a
 * terminal nor turns the text around; a reader gets the same value.
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

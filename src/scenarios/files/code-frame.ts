/** Characters of a line in a frame: most of them before the marked place. */
const [beforeMax, lengthMax] = [60, 100];

/** The lines around a place with a mark below it. Tabs are shown as arrows. The text has no secrets. */
export function codeFrame(text: string, offset: number): readonly string[] {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const number = text.slice(0, start).split("\n").length;
  const before = start === 0 ? [] : [text.slice(text.lastIndexOf("\n", start - 2) + 1, start - 1)];
  const end = text.indexOf("\n", offset);
  const line = text.slice(start, end < 0 ? undefined : end);
  const column = Math.min(offset - start, line.length);
  const from = Math.max(0, column - beforeMax);
  const width = String(number + 1).length;
  const after = end < 0 ? undefined : text.slice(end + 1).split("\n", 1)[0];
  return [
    ...before.map((shown) => `  ${String(number - 1).padStart(width)} | ${visible(shown, 0)}`),
    `> ${String(number).padStart(width)} | ${visible(line, from)}`,
    `  ${" ".repeat(width)} | ${" ".repeat(column - from)}^`,
    ...(after === undefined || after === "" ? [] : [`  ${number + 1} | ${visible(after, 0)}`]),
  ];
}

function visible(line: string, from: number): string {
  return line
    .slice(from, from + lengthMax)
    .replaceAll("\t", "→")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\uFFFD");
}

/** Maximum length of a text that a message quotes from a file or a request. */
const quotedLengthMax = 2000;

/** The text, or its beginning and an ellipsis if it is longer than `lengthMax` characters. No character is cut in two. */
export function shortened(text: string, lengthMax: number = quotedLengthMax): string {
  if (text.length <= lengthMax) return text;
  const isPair = (text.codePointAt(lengthMax - 1) ?? 0) > 0xffff;
  return `${text.slice(0, isPair ? lengthMax - 1 : lengthMax)}…`;
}

/**
 * The beginning and the end of a text that is longer than `lengthMax` characters: the end of an error has its cause. The number
 * of characters between them is added. No character is cut in two.
 */
export function withoutMiddle(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const half = Math.floor(lengthMax / 2);
  const [head, tail] = [shortened(text, half), text.slice(-half).replace(/^[\udc00-\udfff]/, "")];
  return `${head} (${text.length - head.length + 1 - tail.length} characters) …${tail}`;
}

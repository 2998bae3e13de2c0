/** A piece of text; `short` is set for an id that is too long to show. */
export interface TextPart {
  readonly text: string;
  readonly short?: string;
}

/** A word with a fingerprint: at least 24 hexadecimal digits in a row. */
const longId = /[^\s,;"'()[\]{}=?&/]*[0-9a-fA-F]{24,}[^\s,;"'()[\]{}=?&/]*/g;

/** Splits a text at the ids in it, such as parties, contract ids and package ids. */
export function idParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: id, index } of text.matchAll(longId)) {
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push({ text: id, short: shortId(id) });
    end = index + id.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** The text with each id shortened in the middle: `alice::12202b…6e90`. */
export function withShortIds(text: string): string {
  return text.replace(longId, shortId);
}

function shortId(id: string): string {
  return id.replace(/[0-9a-fA-F]{24,}/g, (digits) => `${digits.slice(0, 6)}…${digits.slice(-4)}`);
}

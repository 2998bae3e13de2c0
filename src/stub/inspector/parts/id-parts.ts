/** A piece of text; `short` is set for an id that is too long to show. */
interface TextPart {
  readonly text: string;
  readonly short?: string;
}

/** Digits of a fingerprint, of a contract id or of a package id. */
const digits = /[0-9a-fA-F]{24,1000}/g;
const separator = /[\s,;"'()[\]{}=?&/]/;
/** Longer texts are no place for ids, and are shown as they are. */
const textMax = 20_000;
/** Digits that stay visible at both ends. */
const [headDigits, tailDigits] = [6, 4];

/** Splits a text at the ids in it, such as parties, contract ids and package ids. */
export function idParts(text: string): readonly TextPart[] {
  if (text.length > textMax) return [{ text }];
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(digits)) {
    if (index < end) continue;
    const from = startOfWord(text, index, end);
    const to = endOfWord(text, index + found.length);
    if (from > end) parts.push({ text: text.slice(end, from) });
    const id = text.slice(from, to);
    parts.push({
      text: id,
      short: id.replace(digits, (all) => `${all.slice(0, headDigits)}…${all.slice(-tailDigits)}`),
    });
    end = to;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** The text with each id shortened in the middle: `alice::12202b…6e90`. */
export function withShortIds(text: string): string {
  return idParts(text)
    .map((part) => part.short ?? part.text)
    .join("");
}

function startOfWord(text: string, index: number, min: number): number {
  let from = index;
  while (from > min && !separator.test(text[from - 1] ?? "")) from -= 1;
  return from;
}

function endOfWord(text: string, index: number): number {
  let to = index;
  while (to < text.length && !separator.test(text[to] ?? "")) to += 1;
  return to;
}

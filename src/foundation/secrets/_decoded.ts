import { utf8Length } from "../text/utf8.ts";

/** A text without one level of percent-encoding and of JSON escapes, and where its characters were. */
export interface DecodedPart {
  readonly text: string;
  readonly encoding: "percent-encoding" | "JSON" | "HTML";
  /** The position in the encoded text of a position in this text, its end included. */
  readonly at: (position: number) => number;
}

// A pattern that repeats the percent part would run out of stack on megabytes of them.
const encodedPart = /%[0-9a-f]{2}|\+|\\u[0-9a-f]{4}|\\["\\/bfnrt]/gi;
const escapedPart = /\\u[0-9a-f]{4}|\\["\\/bfnrt]/gi;
const entityPart = /&(?:quot|apos|amp|lt|gt|#0{0,3}3[49]|#x0{0,2}2[27]);/gi;
const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: "&", lt: "<", gt: ">" };
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** Decodes percent-encoding (with `+` for a space), else JSON escapes, else entities of HTML; undefined for a text without any. */
export function decode(text: string): DecodedPart | undefined {
  const hasPercent = /%[0-9a-f]{2}/i.test(text);
  const hasEscape = text.includes("\\") && text.search(escapedPart) >= 0;
  if (!hasPercent && !hasEscape && !text.includes("&")) return undefined;
  const part = hasPercent ? encodedPart : hasEscape ? escapedPart : entityPart;
  const decoded = new DecodedText(text);
  let end = 0;
  for (const { 0: found, index } of text.matchAll(part)) {
    if (index < end) continue;
    decoded.copyTo(index);
    end = index + found.length;
    if (found === "+") decoded.add(" ", 1);
    else if (found.startsWith("\\")) decoded.add(unescaped(found), found.length);
    else if (found.startsWith("&")) decoded.add(ofEntity(found), found.length);
    else {
      end = endOfPercentRun(text, end);
      addPercent(text.slice(index, end), decoded);
    }
  }
  return decoded.end(hasPercent ? "percent-encoding" : hasEscape ? "JSON" : "HTML");
}

/** The end of consecutive percent parts. Together they may be the bytes of one character. */
function endOfPercentRun(text: string, from: number): number {
  let end = from;
  while (text[end] === "%" && isHexDigit(text.charCodeAt(end + 1)) && isHexDigit(text.charCodeAt(end + 2))) end += 3;
  return end;
}

function isHexDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}

/** Both quotation marks also have numbers: 34 and 39, in hex 22 and 27. */
function ofEntity(entity: string): string {
  return entities[entity.slice(1, -1).toLowerCase()] ?? (/[42];$/.test(entity) ? '"' : "'");
}

function unescaped(run: string): string {
  const letter = run.charAt(1);
  return letter === "u" ? String.fromCharCode(Number.parseInt(run.slice(2), 16)) : (escapes[letter] ?? letter);
}

/** Bytes that are not UTF-8 become the characters of their numbers. */
function addPercent(run: string, decoded: DecodedText): void {
  try {
    for (const character of decodeURIComponent(run)) decoded.add(character, 3 * utf8Length(character));
  } catch {
    for (let at = 1; at < run.length; at += 3)
      decoded.add(String.fromCharCode(Number.parseInt(run.slice(at, at + 2), 16)), 3);
  }
}

/** Builds a decoded text; each pair of starts begins a piece of as many characters on both sides, or a decoded character. */
class DecodedText {
  readonly #encoded: string;
  readonly #decodedStarts: number[] = [];
  readonly #encodedStarts: number[] = [];
  #text = "";
  #copied = 0;

  constructor(encoded: string) {
    this.#encoded = encoded;
  }

  copyTo(end: number): void {
    if (end > this.#copied) this.add(this.#encoded.slice(this.#copied, end), end - this.#copied);
  }

  add(text: string, encodedLength: number): void {
    this.#decodedStarts.push(this.#text.length);
    this.#encodedStarts.push(this.#copied);
    this.#text += text;
    this.#copied += encodedLength;
  }

  end(encoding: DecodedPart["encoding"]): DecodedPart | undefined {
    if (this.#decodedStarts.length === 0) return undefined;
    this.copyTo(this.#encoded.length);
    return { text: this.#text, encoding, at: (position) => this.#encodedAt(position) };
  }

  #encodedAt(position: number): number {
    if (position >= this.#text.length) return this.#encoded.length;
    let [low, high] = [0, this.#decodedStarts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#decodedStarts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return (this.#encodedStarts[low] ?? 0) + position - (this.#decodedStarts[low] ?? 0);
  }
}

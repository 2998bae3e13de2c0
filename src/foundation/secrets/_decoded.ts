import { utf8Length } from "../text/utf8.ts";

/** A text without one level of percent-encoding and of JSON escapes, and where its characters were. */
export interface Decoded {
  readonly text: string;
  readonly encoding: "percent-encoding" | "JSON";
  /** The position in the encoded text of a position in this text, its end included. */
  readonly at: (position: number) => number;
}

const encodedRun = /(?:%[0-9a-f]{2})+|\+|\\u[0-9a-f]{4}|\\["\\/bfnrt]/gi;
const escapedRun = /\\u[0-9a-f]{4}|\\["\\/bfnrt]/gi;
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** Decodes percent-encoding (with `+` for a space) and JSON escapes; undefined for a text without either. */
export function decode(text: string): Decoded | undefined {
  const hasPercent = /%[0-9a-f]{2}/i.test(text);
  if (!hasPercent && !text.includes("\\")) return undefined;
  const decoded = new DecodedText(text);
  for (const { 0: run, index } of text.matchAll(hasPercent ? encodedRun : escapedRun)) {
    decoded.copyTo(index);
    if (run === "+") decoded.add(" ", 1);
    else if (run.startsWith("\\")) decoded.add(unescaped(run), run.length);
    else addPercent(run, decoded);
  }
  return decoded.end(hasPercent ? "percent-encoding" : "JSON");
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

  end(encoding: Decoded["encoding"]): Decoded | undefined {
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

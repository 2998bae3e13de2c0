import { NumberText, type Parsed } from "./parsed.ts";

/** A text that is not JSON. The message is that of a node. */
export class InvalidJson extends Error {}

/**
 * Parses JSON like the parser of a node (jawn): the same texts are refused, with the same message. Numbers are kept as they
 * were written. The nesting must be limited before, since values are read by recursion.
 */
export function parseExactly(text: string): Parsed {
  const parser = new ExactParser(text);
  return parser.document();
}

/** The number of UTF-16 units of the text that a message quotes. */
const shownMax = 6;
const hexDigits = /^[0-9a-fA-F]{4}$/;
const words: Readonly<Record<string, readonly [word: string, value: boolean | null]>> = {
  t: ["true", true],
  f: ["false", false],
  n: ["null", null],
};
const escapes: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  '"': '"',
  "\\": "\\",
  "/": "/",
};

class ExactParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Parsed {
    const value = this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#expected("whitespace or eof");
    return value;
  }

  #value(): Parsed {
    const first = this.#next();
    if (first === "{") return this.#object();
    if (first === "[") return this.#list();
    if (first === '"') return this.#string();
    if (first === "-" || isDigit(first.charCodeAt(0))) return this.#number();
    const word = words[first];
    if (word === undefined) throw this.#expected("json value");
    return this.#word(...word);
  }

  #object(): Parsed {
    const members = new Map<string, Parsed>();
    this.#at += 1;
    if (this.#next() === "}") return this.#closed({});
    for (;;) {
      if (this.#next() !== '"') throw this.#expected('"');
      const name = this.#string();
      if (this.#next() !== ":") throw this.#expected(":");
      this.#at += 1;
      members.set(name, this.#value());
      const end = this.#next();
      if (end === "}") return this.#closed(Object.fromEntries(members));
      if (end !== ",") throw this.#expected("} or ,");
      this.#at += 1;
    }
  }

  #list(): Parsed {
    const elements: Parsed[] = [];
    this.#at += 1;
    if (this.#next() === "]") return this.#closed(elements);
    for (;;) {
      elements.push(this.#value());
      const end = this.#next();
      if (end === "]") return this.#closed(elements);
      if (end !== ",") throw this.#expected("] or ,");
      this.#at += 1;
    }
  }

  #closed(value: Parsed): Parsed {
    this.#at += 1;
    return value;
  }

  #word(word: string, value: boolean | null): Parsed {
    for (let index = 1; index < word.length; index += 1)
      if (this.#character(this.#at + index) !== word[index]) throw this.#expected(word);
    this.#at += word.length;
    return value;
  }

  /** A number. The message about a missing digit has the place where the number begins. */
  #number(): Parsed {
    const start = this.#at;
    let end = start;
    const readDigits = () => {
      if (!isDigit(this.#character(end).charCodeAt(0))) throw this.#expected("digit");
      while (isDigit(this.#text.charCodeAt(end))) end += 1;
    };
    if (this.#text[end] === "-") end += 1;
    if (this.#character(end) === "0") end += 1;
    else readDigits();
    if (this.#text[end] === ".") {
      end += 1;
      readDigits();
    }
    if (/[eE]/.test(this.#text[end] ?? "")) {
      end += 1;
      if (/[+-]/.test(this.#character(end))) end += 1;
      readDigits();
    }
    this.#at = end;
    return new NumberText(this.#text.slice(start, end));
  }

  #string(): string {
    const parts: string[] = [];
    let start = this.#at + 1;
    for (let at = start; ; at += 1) {
      const character = this.#character(at);
      if (character === '"') {
        parts.push(this.#text.slice(start, at));
        this.#at = at + 1;
        return parts.join("");
      }
      if (character < " ") throw this.#problem(`control char (${character.charCodeAt(0)}) in string`, at, 1);
      if (character !== "\\") continue;
      parts.push(this.#text.slice(start, at), this.#escape(at));
      at += this.#text[at + 1] === "u" ? 5 : 1;
      start = at + 1;
    }
  }

  #escape(at: number): string {
    const kind = this.#character(at + 1);
    const simple = escapes[kind];
    if (simple !== undefined) return simple;
    if (kind !== "u") throw this.#problem(`illegal escape sequence (\\${kind})`, at, 1);
    this.#character(at + 5);
    const digits = this.#text.slice(at + 2, at + 6);
    if (!hexDigits.test(digits)) throw this.#problem("expected valid unicode escape", at + 2, shownMax);
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  /** The next character that is not white space. */
  #next(): string {
    this.#skipSpace();
    return this.#character(this.#at);
  }

  #skipSpace(): void {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }

  #character(at: number): string {
    const character = this.#text[at];
    if (character === undefined) throw new InvalidJson("exhausted input");
    return character;
  }

  #expected(what: string): InvalidJson {
    return this.#problem(`expected ${what}`, this.#at, shownMax);
  }

  #problem(what: string, at: number, length: number): InvalidJson {
    const before = this.#text.slice(0, at).split("\n");
    const rest = this.#text.slice(at, at + length);
    const more = at + length < this.#text.length ? "..." : "";
    const place = `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
    return new InvalidJson(`${what} got '${rest}${more}' (${place})`);
  }
}

/** Whether a character code is one of 0 to 9 and not NaN, the code beyond the end. */
function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

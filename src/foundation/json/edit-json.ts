const quote = 34;
const comma = 44;
const colon = 58;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;
const space = 32;

/** The place of a value in JSON text: its member, the enclosing member, the outermost member that hides it, and the preceding text in a list. */
export interface JsonSpot {
  readonly member: string;
  /** For the member `value` of a pair such as `{"name": "a", "value": "b"}`: the text of `name` or `key`. */
  readonly label: string;
  readonly parent: string;
  /** Empty if no member hides it. */
  readonly hiding: string;
  readonly previous: string;
}

/** Replaces values in JSON text. Returning the same value leaves the text unchanged. */
export interface JsonEditor {
  key(key: string): string;
  /** Whether the value at this place hides everything in its object or list, at any depth. */
  hides(spot: JsonSpot): boolean;
  text(text: string, spot: JsonSpot): string;
  /** Gives JSON. */
  number(digits: string, spot: JsonSpot): string;
  /** Text that is not JSON. */
  stray(text: string): string;
  /** Called where an object or a list begins, which is the value at this place. */
  enter?(spot: JsonSpot, isList: boolean): void;
  leave?(): void;
}

interface Level {
  readonly member: string;
  readonly parent: string;
  readonly hiding: string;
  readonly paired: string;
}

/**
 * Edits values in JSON text; order, white space, duplicates and numbers stay as written. Invalid or truncated JSON is
 * edited as far as it can be read; the rest goes to `stray`.
 */
export function editJson(text: string, editor: JsonEditor): string {
  const levels: Level[] = [];
  const spot = { member: "", label: "", parent: "", hiding: "", previous: "" };
  /** The text of the member `name` or `key` of the object at hand. */
  let paired = "";
  let [edited, copied, at] = ["", 0, 0];
  const replace = (start: number, end: number, instead: string) => {
    edited += text.slice(copied, start) + instead;
    copied = end;
  };
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code <= space || code === colon) at += 1;
    else if (code === quote) {
      const end = endOfString(text, at + 1);
      const value = unescaped(text.slice(at + 1, end));
      const isKey = isColonNext(text, end + 1);
      if (isKey) {
        spot.member = value;
        spot.label = pairValues.has(value) ? paired || laterName(text, end + 1) : "";
      } else if (pairNames.has(spot.member)) paired = value;
      const instead = isKey ? editor.key(value) : editor.text(value, spot);
      if (instead !== value) replace(at + 1, end, JSON.stringify(instead).slice(1, -1));
      if (!isKey) spot.previous = value;
      at = end + 1;
    } else if (code === openBrace || code === openBracket) {
      editor.enter?.(spot, code === openBracket);
      levels.push({ member: spot.member, parent: spot.parent, hiding: spot.hiding, paired });
      if (spot.hiding === "" && editor.hides(spot)) spot.hiding = spot.label || spot.member;
      if (code === openBrace) spot.parent = spot.member;
      paired = "";
      spot.label = "";
      spot.previous = "";
      at += 1;
    } else if (code === closeBrace || code === closeBracket) {
      const level = levels.pop();
      editor.leave?.();
      spot.member = level?.member ?? "";
      spot.parent = level?.parent ?? "";
      spot.hiding = level?.hiding ?? "";
      paired = level?.paired ?? "";
      at += 1;
    } else if (code === comma) at += 1;
    else {
      const end = endOfWord(text, at);
      const word = text.slice(at, end);
      const instead = isNumber.test(word) ? editor.number(word, spot) : literals.has(word) ? word : editor.stray(word);
      if (instead !== word) replace(at, end, instead);
      at = end;
    }
  }
  return copied === 0 ? text : edited + text.slice(copied);
}

const pairNames: ReadonlySet<string> = new Set(["name", "key", "Name", "Key"]);
const pairValues: ReadonlySet<string> = new Set(["value", "Value"]);
/** A pair in the other order: `"value": "b", "name": "a"`. Longer values are not searched. */
const nameAfterValue =
  /\s{0,20}:\s{0,20}(?:"[^"\\]{0,2000}"|[\d.eE+-]{1,100})\s{0,20},\s{0,20}"(?:name|key)"\s{0,20}:\s{0,20}"([^"\\]{0,200})"/iy;

function laterName(text: string, from: number): string {
  nameAfterValue.lastIndex = from;
  return nameAfterValue.exec(text)?.[1] ?? "";
}

const isNumber = /^-?\d[\d.eE+-]*$/;
const literals: ReadonlySet<string> = new Set(["true", "false", "null"]);

/** The index of the closing quote, or the end of a truncated text. */
export function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (end - 1 - slashes >= from && text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

function isColonNext(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= space) at += 1;
  return text.charCodeAt(at) === colon;
}

function endOfWord(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isEnd = code === quote || code === comma || code === openBrace || code === openBracket;
    if (code <= space || isEnd || code === closeBrace || code === closeBracket) break;
  }
  return at;
}

/** Decodes the escapes of the characters between two quotes, as far as they are valid. */
export function unescaped(raw: string): string {
  if (!raw.includes("\\")) return raw;
  try {
    return String(JSON.parse(`"${raw.replaceAll(controls, "")}"`));
  } catch {
    return raw.replaceAll(/\\u([0-9a-f]{4})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a string of JSON may hold none, and a bad one may hold them.
const controls = /[\u0000-\u001f]/g;

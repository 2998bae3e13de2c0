import { isJsonObject, type Json, jsonOf } from "../../foundation/json/json.ts";
import { looksLikeToken } from "../../foundation/secrets/secret-header.ts";
import { bytesOfBase64 } from "../../foundation/text/base64.ts";
import { percentDecoded } from "../../foundation/text/percent-decoded.ts";
import { jwtsIn } from "./jwt.ts";
import { isPlaceholder } from "./secrets.ts";

/** A secret found in redacted text: kind and location, never the secret itself. */
export interface Leak {
  readonly kind: "jwt" | "pem" | "secret" | "bearer";
  /** JSON pointer into the text; empty if the text is not JSON. */
  readonly pointer: string;
  /** The encoding around the secret, such as `base64`; empty for none. */
  readonly within: string;
}

/** Levels of nested encodings that are decoded. */
const depthMax = 4;

/** Creates a function that finds tokens, PEM blocks and the given secrets in a text, in nested encodings too. */
export function createLeakGate(secrets: readonly string[] = []): (text: string) => readonly Leak[] {
  const written = secrets.flatMap(jsonForms);
  const encoded = encodedForms([pemBegin, "Bearer ", "bearer ", ...written]);
  const base64 = new RegExp([jwtInBase64, ...encoded.map(escaped)].join("|"));
  const patterns = [suspicious, base64.source, ...(secrets.length === 0 ? [] : ["%", ...written.map(escaped)])];
  const isSuspicious = new RegExp(patterns.join("|"));
  return (text) => {
    if (!isSuspicious.test(text)) return [];
    const search = { secrets, base64, leaks: new Map<string, Leak>() };
    visit(jsonOf(text) ?? text, { pointer: "", within: [], isCredentials: false }, search);
    return [...search.leaks.values()];
  };
}

/** A text as written plainly and in nested JSON strings, up to `depthMax`. */
function jsonForms(text: string): readonly string[] {
  const forms = [text];
  for (let depth = 0; depth < depthMax; depth += 1) forms.push(JSON.stringify(forms.at(-1) ?? text).slice(1, -1));
  return [...new Set(forms)];
}

/** `eyJ` in base64, at each offset in a group of three bytes. */
const jwtInBase64 = "ZXlK|[GWm2]V5S[g-v]|leU[op]";
/** A quick test for possible leaks. Letters and digits need neither percent-encoding nor JSON escapes, so those are suspicious. */
const suspicious = String.raw`eyJ|-----BEGIN|[bB][eE][aA][rR][eE][rR](?!\s+(?:token-\d+\b|\[redacted\]))|%(?:2[5DE]|3[0-9]|[46][1-9A-F]|[57][0-9A]|5F)|%(?:2[de]|[46][a-f]|[57]a|5f)|\\[u/]`;

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

interface Location {
  readonly pointer: string;
  readonly within: readonly string[];
  /** Whether the text is the value of an Authorization header. */
  readonly isCredentials: boolean;
}

interface Search {
  readonly secrets: readonly string[];
  /** Matches the searched texts in base64, at any offset. */
  readonly base64: RegExp;
  readonly leaks: Map<string, Leak>;
}

function visit(value: Json, location: Location, search: Search): void {
  if (typeof value === "string") inspect(value, location, search);
  else if (Array.isArray(value))
    for (const [index, element] of value.entries())
      visit(element, { ...location, pointer: `${location.pointer}/${index}` }, search);
  else if (isJsonObject(value)) {
    const isHeader = typeof value["name"] === "string" && /authorization$/i.test(value["name"]);
    for (const [name, inner] of Object.entries(value)) {
      const pointer = `${location.pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      inspect(name, { ...location, pointer }, search);
      visit(inner, { ...location, pointer, isCredentials: isHeader && name === "value" }, search);
    }
  }
}

const pemBegin = "-----BEGIN ";
const pem = /-----BEGIN [A-Z0-9 ]+-----/;
const bearer = /\bbearer(?:\s|%20|\+)+([\w.~+/=%-]+)/gi;

function inspect(text: string, location: Location, search: Search): void {
  if (text.length < 6) return;
  if (jwtsIn(text).length > 0) note("jwt", location, search);
  if (text.includes(pemBegin) && pem.test(text)) note("pem", location, search);
  if (search.secrets.some((secret) => text.includes(secret))) note("secret", location, search);
  for (const { 1: word = "" } of text.matchAll(bearer))
    if (!isPlaceholder(word) && (location.isCredentials || looksLikeToken(word))) note("bearer", location, search);
  if (location.within.length < depthMax) undo(text, location, search);
}

function note(kind: Leak["kind"], { pointer, within }: Location, { leaks }: Search): void {
  const key = `${kind} ${pointer}`;
  if (!leaks.has(key)) leaks.set(key, { kind, pointer, within: within.join(" in ") });
}

/** Inspects the text decoded from each encoding it may have. */
function undo(text: string, location: Location, search: Search): void {
  const inner = (encoding: string): Location => ({
    ...location,
    isCredentials: false,
    within: [...location.within, encoding],
  });
  if (text.includes("%") || (text.includes("+") && search.secrets.some((secret) => secret.includes(" "))))
    inspectOther(
      text,
      text.replaceAll("+", " ").replaceAll(/(?:%[0-9a-f]{2})+/gi, percentDecoded),
      inner("percent-encoding"),
      search,
    );
  if (text.includes("\\")) inspectOther(text, unescaped(text), inner("JSON"), search);
  const first = text.charCodeAt(0);
  if (first === 123 || first === 91 || first === 34) {
    const json = jsonOf(text);
    if (json !== undefined) visit(json, inner("JSON"), search);
  }
  for (const found of base64In(text, search)) inspect(found, inner("base64"), search);
}

function inspectOther(text: string, other: string, location: Location, search: Search): void {
  if (other !== text) inspect(other, location, search);
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, digits: string | undefined, letter: string) =>
    digits === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

const base64Run = /[A-Za-z0-9+/_-]{12,}/g;

/** Decodes base64 in a text from each offset in a group, if it may contain a searched text. */
function* base64In(text: string, { base64 }: Search): Generator<string> {
  if (text.length < 12 || !base64.test(text)) return;
  for (const [run] of text.matchAll(base64Run))
    if (base64.test(run)) for (const skipped of [0, 1, 2, 3]) yield decoded(run.slice(skipped));
}

const decoder = new TextDecoder();

function decoded(run: string): string {
  const whole = run.length % 4 === 1 ? run.slice(0, -1) : run;
  return decoder.decode(bytesOfBase64(whole.replaceAll("-", "+").replaceAll("_", "/")));
}

/** The base64 characters of a text at each offset, without those that depend on adjacent bytes. */
function encodedForms(texts: readonly string[]): readonly string[] {
  const forms = texts.flatMap((text) =>
    [0, 1, 2].map((ahead) => {
      const bytes = [...new Array<number>(ahead).fill(0), ...new TextEncoder().encode(text)];
      const base64 = btoa(String.fromCharCode(...bytes)).replace(/=+$/, "");
      const [from, to] = [Math.ceil((ahead * 8) / 6), Math.floor((bytes.length * 8) / 6)];
      return base64.slice(from, to);
    }),
  );
  return forms.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}

import { isJsonObject, type Json, jsonOf } from "../../foundation/json/json.ts";
import { looksLikeToken } from "../../foundation/secrets/secret-header.ts";
import { bytesOfBase64 } from "../../foundation/text/base64.ts";
import { jwtsIn } from "./jwt.ts";
import { isPlaceholder } from "./secrets.ts";

/** A secret that survives in a text: what it is and where, never itself. */
export interface Leak {
  readonly kind: "jwt" | "pem" | "secret" | "bearer";
  /** JSON pointer into the text; empty where the text is no JSON. */
  readonly pointer: string;
  /** Under which encoding it stands there, such as `base64`; empty for none. */
  readonly within: string;
}

/** How many encodings are undone, one within the other. */
const depthMax = 4;

/** Finds the secrets in a text, JSON or any other, in whatever encoding they hide: tokens, PEM blocks and these texts. */
export function createLeakGate(secrets: readonly string[] = []): (text: string) => readonly Leak[] {
  const written = secrets.flatMap(jsonForms);
  const encoded = encodedForms([pemBegin, "Bearer ", "bearer ", ...written]);
  const base64 = new RegExp([jwtInBase64, ...encoded.map(escaped)].join("|"));
  const signs = [suspicious, base64.source, ...(secrets.length === 0 ? [] : ["%", ...written.map(escaped)])];
  const isSuspicious = new RegExp(signs.join("|"));
  return (text) => {
    if (!isSuspicious.test(text)) return [];
    const search = { secrets, base64, leaks: new Map<string, Leak>() };
    visit(jsonOf(text) ?? text, { pointer: "", within: [], isCredentials: false }, search);
    return [...search.leaks.values()];
  };
}

/** How a text is written: as it is, and within JSON in JSON, as deep as is looked. */
function jsonForms(text: string): readonly string[] {
  const forms = [text];
  for (let depth = 0; depth < depthMax; depth += 1) forms.push(JSON.stringify(forms.at(-1) ?? text).slice(1, -1));
  return [...new Set(forms)];
}

/** `eyJ` in base64, by where it begins in a group of four characters. */
const jwtInBase64 = "ZXlK|[GWm2]V5S[g-v]|leU[op]";
/** What a text has in which there may be a leak; letters and digits are percent-encoded, or escaped in JSON, only to hide something. */
const suspicious = String.raw`eyJ|-----BEGIN|[bB][eE][aA][rR][eE][rR](?!\s+(?:token-\d+\b|\[redacted\]))|%(?:2[5DE]|3[0-9]|[46][1-9A-F]|[57][0-9A]|5F)|%(?:2[de]|[46][a-f]|[57]a|5f)|\\[u/]`;

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

interface Spot {
  readonly pointer: string;
  readonly within: readonly string[];
  /** Whether it is the value of a header that tells who asks. */
  readonly isCredentials: boolean;
}

interface Search {
  readonly secrets: readonly string[];
  /** What stands in base64 for what is looked for, wherever it begins in it. */
  readonly base64: RegExp;
  readonly leaks: Map<string, Leak>;
}

function visit(value: Json, spot: Spot, search: Search): void {
  if (typeof value === "string") inspect(value, spot, search);
  else if (Array.isArray(value))
    for (const [index, element] of value.entries())
      visit(element, { ...spot, pointer: `${spot.pointer}/${index}` }, search);
  else if (isJsonObject(value)) {
    const isHeader = typeof value["name"] === "string" && /authorization$/i.test(value["name"]);
    for (const [name, inner] of Object.entries(value)) {
      const pointer = `${spot.pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      inspect(name, { ...spot, pointer }, search);
      visit(inner, { ...spot, pointer, isCredentials: isHeader && name === "value" }, search);
    }
  }
}

const pemBegin = "-----BEGIN ";
const pem = /-----BEGIN [A-Z0-9 ]+-----/;
const bearer = /\bbearer(?:\s|%20|\+)+([\w.~+/=%-]+)/gi;

function inspect(text: string, spot: Spot, search: Search): void {
  if (text.length < 6) return;
  if (jwtsIn(text).length > 0) note("jwt", spot, search);
  if (text.includes(pemBegin) && pem.test(text)) note("pem", spot, search);
  if (search.secrets.some((secret) => text.includes(secret))) note("secret", spot, search);
  for (const { 1: word = "" } of text.matchAll(bearer))
    if (!isPlaceholder(word) && (spot.isCredentials || looksLikeToken(word))) note("bearer", spot, search);
  if (spot.within.length < depthMax) undo(text, spot, search);
}

function note(kind: Leak["kind"], { pointer, within }: Spot, { leaks }: Search): void {
  const key = `${kind} ${pointer}`;
  if (!leaks.has(key)) leaks.set(key, { kind, pointer, within: within.join(" in ") });
}

/** Looks at what the text stands for in each encoding that it may be in. */
function undo(text: string, spot: Spot, search: Search): void {
  const inner = (encoding: string): Spot => ({ ...spot, isCredentials: false, within: [...spot.within, encoding] });
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

function inspectOther(text: string, other: string, spot: Spot, search: Search): void {
  if (other !== text) inspect(other, spot, search);
}

function percentDecoded(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, digits: string | undefined, letter: string) =>
    digits === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

const base64Run = /[A-Za-z0-9+/_-]{12,}/g;

/** What base64 in a text stands for, where something that is looked for begins in it, decoded from each place in a group. */
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

/** The characters of base64 that a text comes to wherever it begins, its additional operations apart. */
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

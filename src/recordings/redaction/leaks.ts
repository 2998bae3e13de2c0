import { isJsonObject, type Json, type JsonObject, jsonWithRoundedIntegers } from "../../foundation/json/json.ts";
import { SecretFinder } from "../../foundation/secrets/secret-finder.ts";
import { secretSpans } from "../../foundation/secrets/secret-header.ts";
import { isKeyPart, isPlaceholder, type SecretRole, secretRoleOf } from "../../foundation/secrets/secret-name.ts";
import { escapeSegment } from "../../foundation/spec/operation.ts";
import { bytesOfBase64 } from "../../foundation/text/base64.ts";
import { GenerationCache } from "../../foundation/text/generation-cache.ts";
import { textOfBytes, withoutZeros } from "./body-text.ts";

/** A secret found in redacted text: kind and location, never the secret itself. */
export interface Leak {
  readonly kind: "jwt" | "pem" | "secret" | "bearer" | "basic" | "user-info" | "named";
  /** JSON pointer into the text; empty if the text is not JSON. */
  readonly pointer: string;
  /** The encoding around the secret, such as `base64`; empty for none. */
  readonly within: string;
}

/** Finds the secrets in a text, or in the value that is written as JSON. */
export type LeakGate = (content: string | JsonObject) => readonly Leak[];

/** Limit of remembered names of members. */
const namesMax = 10_000;
/** Limits of remembered values: characters of each, and of all in a generation. The same messages in base64 are disclosed repeatedly. */
const valueLengthMax = 10_000;
const valueBounds = { entriesMax: 100_000, sizeMax: 4_000_000 };
/** Levels of JSON within JSON strings that are read. */
const depthMax = 4;

/** Creates a function that finds the secrets that redaction must not have kept, and the given ones, in nested encodings too. */
export function createLeakGate(secrets: readonly string[] = []): LeakGate {
  const finder = new SecretFinder(secrets.map((text) => ({ text, kind: "secret" })));
  const texts = new KnownTexts(finder);
  return (content) => {
    const search = new LeakSearch(finder, texts);
    search.visit(typeof content === "string" ? (jsonWithRoundedIntegers(content) ?? content) : content, "", 0);
    return [...search.leaks.values()];
  };
}

interface MemberName {
  readonly role: SecretRole | undefined;
  /** Whether the name itself has no secret. */
  readonly isClean: boolean;
}

/** Remembers what the names of members show, and values without secrets, since most occur in every exchange. */
class KnownTexts {
  readonly #finder: SecretFinder;
  readonly #known = new Map<string, MemberName>();
  readonly #clean = new GenerationCache<string, true>(valueBounds, (_, value) => value.length);

  constructor(finder: SecretFinder) {
    this.#finder = finder;
  }

  of(name: string): MemberName {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const isClean = !jsonLike.test(name) && this.#finder.allDeep(name).length === 0;
    const read = { role: secretRoleOf(name), isClean };
    if (this.#known.size < namesMax) this.#known.set(name, read);
    return read;
  }

  isClean(value: string): boolean {
    return this.#clean.get(value) === true;
  }

  /** Remembers that a value has no secret and is not JSON. */
  addClean(value: string): void {
    if (value.length <= valueLengthMax) this.#clean.set(value, true);
  }
}

const jsonLike = /^\s*["[{]/;

/** A search of one text; it knows the path to the value at hand. */
class LeakSearch {
  readonly leaks = new Map<string, Leak>();
  readonly #finder: SecretFinder;
  readonly #texts: KnownTexts;
  readonly #path: (string | number)[] = [];

  constructor(finder: SecretFinder, texts: KnownTexts) {
    this.#finder = finder;
    this.#texts = texts;
  }

  /** `member` is the name of the value, or of the list that has it; `depth` counts the JSON strings around it. */
  visit(value: Json, member: string, depth: number): void {
    if (typeof value === "string") this.#inspect(value, member, depth);
    else if (Array.isArray(value)) this.#visitElements(value, member, depth);
    else if (isJsonObject(value)) this.#visitMembers(value, depth);
  }

  #visitElements(list: readonly Json[], member: string, depth: number): void {
    let index = 0;
    for (const element of list) {
      this.#enter(index, depth);
      this.visit(element, member, depth);
      this.#leave(depth);
      index += 1;
    }
  }

  #visitMembers(object: JsonObject, depth: number): void {
    const label = object["name"] ?? object["key"];
    for (const name of Object.keys(object)) {
      const value = object[name] ?? null;
      this.#enter(name, depth);
      if (!this.#texts.of(name).isClean) this.#inspect(name, "", depth);
      const isPair = name === "value" && typeof label === "string" && typeof value === "string";
      const isBytes = name === "text" && (object["encoding"] ?? object["_encoding"]) === "base64";
      if (isBytes && typeof value === "string") this.#inspectBytes(value, depth);
      this.visit(isPair ? this.#withoutSpans(value, label, depth) : value, name, depth);
      this.#leave(depth);
    }
  }

  /** A pointer leads to the string that has JSON within. */
  #enter(step: string | number, depth: number): void {
    if (depth === 0) this.#path.push(step);
  }

  #leave(depth: number): void {
    if (depth === 0) this.#path.pop();
  }

  #inspect(text: string, member: string, depth: number): void {
    if (member !== "") this.#inspectMember(text, member, depth);
    if (this.#texts.isClean(text)) return;
    const json =
      depth < depthMax && jsonLike.test(text) ? jsonWithRoundedIntegers(text.replace(/^\ufeff/, "")) : undefined;
    if (json !== undefined) this.visit(json, "", depth + 1);
    // The values of JSON were visited; a listed secret may cover several.
    const all = json === undefined ? this.#finder.allDeep(text) : this.#finder.listed(text);
    if (json === undefined && all.length === 0) this.#texts.addClean(text);
    for (const found of all)
      if (!isPlaceholder(found.text) && found.kind !== "signature")
        this.#note(found.form === "listed" ? "secret" : found.form, depth, found.within);
  }

  /** A body that is not UTF-8, in each text that it may be. */
  #inspectBytes(base64: string, depth: number): void {
    const bytes = bytesOfBase64(base64) ?? new Uint8Array();
    for (const text of new Set([textOfBytes(bytes, false) ?? "", withoutZeros(bytes)]))
      for (const { form, kind, text: secret, within } of this.#finder.allDeep(text))
        if (!isPlaceholder(secret) && kind !== "signature")
          this.#note(form === "listed" ? "secret" : form, depth, [...within, "base64"]);
  }

  /** A value that the name of its member shows to be a secret. A signature has no placeholder. */
  #inspectMember(value: string, member: string, depth: number): void {
    const { role } = this.#texts.of(member);
    const isSecret = role === undefined ? isKeyPart(member, value) : role !== "signature" && value !== "";
    if (isSecret && !isPlaceholder(value)) this.#note("named", depth);
  }

  /** The value of a pair without its secret parts, which were compared with placeholders. The label may be the name of a header. */
  #withoutSpans(value: string, label: string, depth: number): string {
    const spans = secretSpans(label, value);
    if (spans.length === 0 || secretRoleOf(label) === "signature") return value;
    let rest = value;
    for (const { start, end, kind } of spans.toReversed()) {
      if (!isPlaceholder(value.slice(start, end).trim())) this.#note(leakOfSpan[kind], depth);
      rest = rest.slice(0, start) + rest.slice(end);
    }
    return rest;
  }

  #note(kind: Leak["kind"], depth: number, within: readonly string[] = []): void {
    const steps = this.#path.map((step) => `/${escapeSegment(String(step))}`);
    const pointer = steps.join("");
    const encodings = [...within, ...new Array<string>(depth).fill("JSON")];
    const key = `${kind} ${pointer}`;
    if (!this.leaks.has(key)) this.leaks.set(key, { kind, pointer, within: encodings.join(" in ") });
  }
}

const leakOfSpan = { token: "bearer", credentials: "basic", cookie: "named", secret: "named" } as const;

import { base64OfBytes, bytesOfAnyBase64 } from "../text/base64.ts";
import { type DecodedPart, decode } from "./_decoded.ts";
import { type FoundKind, findForms, mayHaveForms, mayHavePrefix, type SecretForm } from "./_forms.ts";
import type { KnownSecret } from "./secret-header.ts";

/** The place of a secret in a text. */
export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  readonly form: SecretForm;
  readonly kind: FoundKind;
  /** The secret, decoded. */
  readonly text: string;
  /** The encodings around the secret, innermost first. */
  readonly within: readonly string[];
}

const none: readonly FoundSecret[] = [];

/** Levels of nested encodings that are decoded. */
const depthMax = 6;
/** Levels of nested JSON strings in which a known secret is searched as written. */
const jsonDepthMax = 4;

/** Finds secrets in texts: known ones, and those that a syntax or a name shows, in nested encodings too. */
export class SecretFinder {
  readonly #known: readonly SearchedSecret[];

  /** The forms of secrets that an earlier finder has too are not computed again. */
  constructor(known: readonly KnownSecret[], earlier?: SecretFinder) {
    const searched = new Map(earlier === undefined ? [] : earlier.#known.map((each) => [each.secret, each]));
    // Longer secrets first, since one may contain another.
    this.#known = known
      .toSorted((left, right) => right.text.length - left.text.length)
      .map((secret) => searched.get(secret) ?? searchedSecret(secret));
  }

  /** The secrets of a text in order, without overlaps. Base64 is not decoded. */
  find(text: string): readonly FoundSecret[] {
    return withoutOverlaps(this.all(text));
  }

  /** The secrets of a text, base64 in it included: then the whole run is the place. */
  findDeep(text: string): readonly FoundSecret[] {
    return withoutOverlaps(this.allDeep(text));
  }

  /** The secrets of a text in every form in which they are recognized, base64 in it included. */
  allDeep(text: string): readonly FoundSecret[] {
    const found = this.all(text);
    const inBase64 = this.allInBase64(text, 0);
    if (text.includes("\0")) return [...found, ...inBase64, ...this.#amongZeros(text)];
    return inBase64.length === 0 ? found : [...found, ...inBase64];
  }

  /** Secrets in UTF-16 or UTF-32 that was read as UTF-8. The place of each is the whole text. */
  #amongZeros(text: string): readonly FoundSecret[] {
    const found = this.all(text.replaceAll("\0", ""));
    return found.map((secret) => ({ ...secret, start: 0, end: text.length, within: [...secret.within, "UTF-16"] }));
  }

  /** The known secrets of a text that is not decoded. */
  listed(text: string): readonly FoundSecret[] {
    const found: FoundSecret[] = [];
    this.#findKnown(undecoded(text), found);
    return found;
  }

  /** The secrets of a text in every form in which they are recognized. */
  all(text: string): readonly FoundSecret[] {
    if (!this.mayHaveSecrets(text)) return none;
    const found: FoundSecret[] = [];
    let level = undecoded(text);
    for (let depth = 0; ; depth += 1) {
      this.#findIn(level, found);
      const decoded = depth < depthMax ? decode(level.text) : undefined;
      if (decoded === undefined) return found;
      level = nextLevel(level, decoded);
    }
  }

  /** The runs of base64 in a text that encode a secret. */
  allInBase64(text: string, depth: number): readonly FoundSecret[] {
    if (text.length < base64LengthMin || !this.#mayHaveBase64(text)) return none;
    return [...text.matchAll(base64Run)].flatMap(({ 0: run, index }) =>
      this.#partsOfRun(run).flatMap((part) =>
        this.#allInPart(part, depth).map((found) => ({
          ...found,
          start: index,
          end: index + run.length,
          within: [...found.within, "base64"],
        })),
      ),
    );
  }

  #allInPart(part: string, depth: number): readonly FoundSecret[] {
    return [0, 1, 2, 3].flatMap((skipped) => {
      const inner = decodedBase64(part.slice(skipped));
      const further = depth < base64DepthMax ? this.allInBase64(inner, depth + 1) : [];
      return [...this.listed(inner), ...readableTexts(inner).flatMap((text) => this.all(text)), ...further];
    });
  }

  /** The parts of a run of base64 around the forms in it: most of a long run is opaque. */
  #partsOfRun(run: string): readonly string[] {
    const hits = this.#hitsIn(run);
    if (hits.length === 0 || run.length <= partLengthMax) return hits.length === 0 ? [] : [run];
    const parts: { start: number; end: number }[] = [];
    for (const hit of hits) {
      const [start, end] = [Math.max(0, hit - partBefore), Math.min(run.length, hit + partLengthMax)];
      const last = parts.at(-1);
      if (last !== undefined && start <= last.end) last.end = end;
      else parts.push({ start, end });
    }
    return parts.map(({ start, end }) => run.slice(start, end));
  }

  /** The positions of forms in base64, in order. */
  #hitsIn(run: string): readonly number[] {
    const hits = [...run.matchAll(base64OfForms)].map(({ index }) => index);
    for (const form of this.#known.flatMap(({ base64 }) => base64))
      for (let at = run.indexOf(form); at >= 0; at = run.indexOf(form, at + form.length)) hits.push(at);
    return hits.sort((left, right) => left - right);
  }

  /** A quick test: most texts have no secrets. */
  mayHaveSecrets(text: string): boolean {
    const isWord = word.test(text);
    return (
      (isWord ? mayHavePrefix(text) : encoded.test(text) || mayHaveForms(text)) ||
      this.#known.some(({ forms }) => isIn(forms, text))
    );
  }

  #mayHaveBase64(text: string): boolean {
    return text.search(base64OfForms) >= 0 || this.#known.some(({ base64 }) => isIn(base64, text));
  }

  #findIn({ text, at, within }: Level, found: FoundSecret[]): void {
    const put = (start: number, end: number, form: SecretForm, kind: FoundKind) => {
      if (start < end) found.push({ start: at(start), end: at(end), form, kind, text: text.slice(start, end), within });
    };
    this.#findKnown({ text, at, within }, found);
    if (mayHaveForms(text)) findForms(text, put);
  }

  #findKnown({ text, at, within }: Level, found: FoundSecret[]): void {
    for (const { secret, forms } of this.#known)
      for (const form of forms)
        for (let start = text.indexOf(form); start >= 0; start = text.indexOf(form, start + form.length))
          found.push({ ...secret, start: at(start), end: at(start + form.length), form: "listed", within });
  }
}

/** A text with one encoding less than the one around it. */
interface Level {
  readonly text: string;
  readonly at: (position: number) => number;
  readonly within: readonly string[];
}

function undecoded(text: string): Level {
  return { text, at: (position) => position, within: [] };
}

function nextLevel(around: Level, { text, encoding, at }: DecodedPart): Level {
  return { text, at: (position) => around.at(at(position)), within: [encoding, ...around.within] };
}

/** A known secret with the texts to search for: as written in plain text, in JSON and in a form, and its base64. */
interface SearchedSecret {
  readonly secret: KnownSecret;
  readonly forms: readonly string[];
  readonly base64: readonly string[];
}

function searchedSecret(secret: KnownSecret): SearchedSecret {
  const forms = [secret.text, secret.text.replaceAll(" ", "+")];
  for (let depth = 0; depth < jsonDepthMax; depth += 1) forms.push(JSON.stringify(forms.at(-1) ?? "").slice(1, -1));
  const distinct = [...new Set(forms)];
  return { secret, forms: distinct, base64: distinct.flatMap(encodedForms) };
}

function isIn(forms: readonly string[], text: string): boolean {
  return forms.some((form) => text.includes(form));
}

/** A text without any of the characters that a form or an encoding needs. */
const word = /^[\w+/-]*$/;
/** Letters and digits need neither percent-encoding nor JSON escapes; an encoded one may hide a name. */
const encoded = /%(?:[2357][0-9a-f]|[46][1-9a-f])|\\["u/]|&(?:quot|#)/i;

/** Makes ranges disjoint: of two that overlap, one range covers both. */
function withoutOverlaps(found: readonly FoundSecret[]): readonly FoundSecret[] {
  if (found.length < 2) return found;
  const disjoint: FoundSecret[] = [];
  for (const next of found.toSorted((left, right) => left.start - right.start || right.end - left.end)) {
    const last = disjoint.at(-1);
    if (last === undefined || next.start >= last.end) disjoint.push(next);
    else if (next.end > last.end) disjoint.push({ ...(disjoint.pop() ?? next), end: next.end });
  }
  return disjoint;
}

const base64LengthMin = 12;
const base64DepthMax = 1;
/** Characters of a long run that are decoded from the beginning of a form on, and before it. */
const partLengthMax = 16_384;
const partBefore = 256;
// With `{12,}` a run of megabytes would overflow the stack.
const base64Run = /[A-Za-z0-9+/_-]{12}[A-Za-z0-9+/_-]*/g;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

function decodedBase64(run: string): string {
  const whole = run.length % 4 === 1 ? run.slice(0, -1) : run;
  return decoder.decode(bytesOfAnyBase64(whole));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: bytes that are not text.
const unreadable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]/;
/** Shorter texts among other bytes look like a form by chance. */
const readableLengthMin = 12;

/** The readable parts of decoded bytes; of a text without unreadable characters, all of it. */
export function readableTexts(text: string): readonly string[] {
  const texts = text.split(unreadable);
  return texts.length === 1 ? texts : texts.filter(({ length }) => length >= readableLengthMin);
}

/** The base64 characters of a text at each offset, without those that depend on adjacent bytes. */
function encodedForms(text: string): readonly string[] {
  const encodedText = encoder.encode(text);
  const forms = [0, 1, 2].map((ahead) => {
    const bytes = new Uint8Array(ahead + encodedText.length);
    bytes.set(encodedText, ahead);
    const base64 = base64OfBytes(bytes).replace(/={1,2}$/, "");
    return base64.slice(Math.ceil((ahead * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
  return [...new Set(forms.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]))];
}

/** Forms in base64; `eyJ` at each offset in a group of three bytes. */
const base64OfForms = new RegExp(
  [
    "ZXlK|[GWm2]V5S[g-v]|leU[op]",
    ...["-----BEGIN ", "Bearer ", "bearer ", "Basic ", "password"]
      .flatMap(encodedForms)
      .map((form) => form.replaceAll("+", "\\+")),
  ].join("|"),
  "g",
);

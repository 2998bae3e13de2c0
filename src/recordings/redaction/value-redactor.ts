import { editJson, type JsonEditor, type JsonSpot } from "../../foundation/json/edit-json.ts";
import { SecretFinder } from "../../foundation/secrets/secret-finder.ts";
import { type KnownSecret, secretSpans } from "../../foundation/secrets/secret-header.ts";
import {
  isKeyPart,
  isPlaceholder,
  isSecretNumber,
  redactionMark,
  secretRoleOf,
} from "../../foundation/secrets/secret-name.ts";
import { base64OfBytes, bytesOfAnyBase64, bytesOfLatin, latinOfAnyBase64 } from "../../foundation/text/base64.ts";
import { GenerationCache } from "../../foundation/text/generation-cache.ts";
import { renamedShortContractId } from "./identifiers.ts";
import { hexOf, hintOf, nowhere, prosePlace, roleOf, type TextPlace } from "./place.ts";
import { redactBytes, renamedOpaque } from "./redact-bytes.ts";
import { redactFound, redactHeaderSecrets } from "./redact-secrets.ts";
import { mayHaveIds, redactText } from "./redact-text.ts";
import type { HintKind, Renaming } from "./renaming.ts";
import { placeholderSignature } from "./signature.ts";

/** Levels of JSON within JSON strings, and of texts within base64, that are redacted. */
const depthMax = 4;
/** Limit of cached member contexts. */
const placesMax = 10_000;
/** Limits of the caches of values, and of protobuf messages in base64: the same contracts are disclosed repeatedly. */
const knownBounds = { entriesMax: 50_000, sizeMax: 8_000_000 };
const blobBounds = { entriesMax: 10_000, sizeMax: 2_000_000 };
const sizeOf = (redacted: string, text: string): number => redacted.length + text.length;

/** Limit of secrets learned from earlier exchanges; every text is searched for each. */
const learntMax = 64;

/** Redacts texts of any format by their context. */
export class ValueRedactor {
  readonly #renaming: Renaming;
  readonly #given: readonly KnownSecret[];
  #learnt: readonly KnownSecret[] = [];
  #finder: SecretFinder;
  readonly #places = new Map<string, TextPlace>();
  /** Redacted values by the original, since most values repeat. */
  #known = new GenerationCache<string, string>(knownBounds, sizeOf);
  #blobs = new GenerationCache<string, string>(blobBounds, sizeOf);

  constructor(renaming: Renaming, secrets: readonly string[]) {
    this.#renaming = renaming;
    this.#given = secrets.map((text) => ({ text, kind: "secret" }));
    this.#finder = new SecretFinder(this.#given);
  }

  /** Adds secrets that are redacted everywhere from now on; the oldest learned ones are dropped. */
  learn(secrets: readonly KnownSecret[]): void {
    const known = new Set([...this.#given, ...this.#learnt].map(({ text }) => text));
    const unknown = secrets.filter(({ text }) => !known.has(text) && known.add(text));
    if (unknown.length === 0) return;
    this.#learnt = [...this.#learnt, ...unknown].slice(-learntMax);
    this.#finder = new SecretFinder([...this.#given, ...this.#learnt], this.#finder);
    // Cached results lack the new secrets.
    this.#known = new GenerationCache(knownBounds, sizeOf);
    this.#blobs = new GenerationCache(blobBounds, sizeOf);
  }

  /** A quick test: most texts have no secrets. */
  mayHaveSecrets(text: string): boolean {
    return this.#finder.mayHaveSecrets(text);
  }

  hasSecrets(text: string): boolean {
    return this.#finder.allDeep(text).length > 0;
  }

  /** A text without the secrets that were given or learned. */
  knownSecrets(text: string): string {
    return redactFound(text, this.#finder.listed(text), this.#renaming);
  }

  /** A body or another text of any form. */
  body(text: string): string {
    return isJsonLike(text) ? this.json(text, 0) : this.text(text, prosePlace, 0);
  }

  json(text: string, depth: number): string {
    let isStrange = false;
    const editor: JsonEditor = {
      key: (key) => this.text(key, nowhere, depth + 1),
      text: (value, spot) => this.#valueOf(value, spot, depth),
      hides: ({ member, label }) => hidingRoles.has(secretRoleOf(label) ?? this.#placeOf(member).role),
      number: (digits, spot) => this.#numberOf(digits, spot, depth),
      stray: (stray) => {
        isStrange = true;
        return stray;
      },
    };
    const edited = editJson(text, editor);
    return isStrange ? redactText(edited, prosePlace, this.#finder, this.#renaming) : edited;
  }

  /** The value of a member, a parameter or a header of that name. */
  member(value: string, member: string): string {
    if (isKeyPart(member, value)) return redactionMark;
    if (secretSpans(member, value).length > 0) return redactHeaderSecrets(member, value, this.#renaming);
    return this.text(value, this.#placeOf(member), 0);
  }

  text(text: string, place: TextPlace, depth: number): string {
    if (text === "" || text === redactionMark) return text;
    const renaming = this.#renaming;
    switch (place.role) {
      case "private":
        return redactionMark;
      case "token":
        return isPlaceholder(text) ? text : renaming.secret(text, "token");
      case "secret":
        return isPlaceholder(text) ? text : renaming.secret(text, "secret");
      case "signature":
        return placeholderSignature(text, renaming);
      case "party-hint":
        return this.#hint(text, "party");
      case "synchronizer-hint":
        return this.#hint(text, "synchronizer");
      case "participant-hint":
        return text.replace(/[^'"]+/, (name) => this.#hint(name, "participant"));
      case "fingerprint":
        return text.includes("::") ? this.#any(text, place, depth) : this.#fingerprint(text);
      case "contract":
        return renamedShortContractId(text, renaming) ?? this.#any(text, place, depth);
      case "correlation":
        return this.#correlation(text, place, depth);
      case "user":
        return this.#user(text, place, depth);
      case "offset":
        return /^\d+$/.test(text) ? this.#offset(text) : this.#any(text, prosePlace, depth);
      default:
        return this.#any(text, place, depth);
    }
  }

  #valueOf(value: string, { member, label, parent, hiding, previous }: JsonSpot, depth: number): string {
    if (label !== "" && hiding === "" && secretSpans(label, value).length > 0)
      return redactHeaderSecrets(label, value, this.#renaming);
    const place = this.#hidden(member, hiding, value) ?? this.#placeOf(member);
    if (isKeyPart(member, value)) return redactionMark;
    if (isUser(member, parent, previous)) return this.text(value, userPlace, depth + 1);
    if (parent === "context" && place.role === "other") return this.text(value, { ...place, role: "prose" }, depth + 1);
    return this.text(value, place, depth + 1);
  }

  /** The context that a member inherits from its parent: a secret, unless it has a role of its own or is an id. */
  #hidden(member: string, hiding: string, value: string): TextPlace | undefined {
    if (hiding === "") return undefined;
    const around = this.#placeOf(hiding);
    if (around.role === "private") return around;
    const { role } = this.#placeOf(member);
    return (role === "other" || role === "prose") && !value.includes("::1220") ? around : undefined;
  }

  /** A secret number becomes a pseudonym as text. */
  #numberOf(digits: string, { member, label, parent, hiding }: JsonSpot, depth: number): string {
    const named = isSecretNumber(label) ? label : member;
    const place = this.#hidden(named, hiding, digits) ?? this.#placeOf(named);
    const isSecret = hidingRoles.has(place.role) || place.role === "token";
    if (isSecret && (hiding !== "" || isSecretNumber(named)))
      return JSON.stringify(this.text(digits, place, depth + 1));
    return this.#isOffset(member, parent) ? this.#offset(digits) : digits;
  }

  #any(text: string, place: TextPlace, depth: number): string {
    const known = place.role === "other" ? this.#known.get(text) : undefined;
    if (known !== undefined) return known;
    const isProse = place.role === "prose";
    if (text.length < interestingLengthMin && !isProse && !text.includes("::") && !this.#finder.mayHaveSecrets(text))
      return text;
    if (depth <= depthMax) {
      if (isJsonLike(text)) return this.json(text, depth + 1);
      const decoded = this.#base64(text, place, depth);
      // A secret may be base64 by chance.
      if (decoded !== undefined) return this.knownSecrets(decoded);
    }
    const redacted = this.#plain(text, place, depth);
    const isLasting = redacted !== text || (depth <= depthMax && isKept(text));
    if (place.role === "other" && text.length <= knownLengthMax && isLasting) this.#known.set(text, redacted);
    return redacted;
  }

  #plain(text: string, place: TextPlace, depth: number): string {
    const redacted = redactText(text, place, this.#finder, this.#renaming);
    if (depth > depthMax || text.length < base64RunMin || isWord(text)) return redacted;
    return redacted.replaceAll(base64Run, (run) => this.#base64(run, nowhere, depth) ?? this.#segments(run, depth));
  }

  /** Redacts the segments of a path that looks like base64. */
  #segments(run: string, depth: number): string {
    if (!run.includes("/")) return run;
    return run.replaceAll(segmentRun, (segment) => this.#base64(segment, nowhere, depth) ?? segment);
  }

  /** Redacts the content of base64; undefined if the text is not base64 or has no identifiers. */
  #base64(text: string, { role }: TextPlace, depth: number): string | undefined {
    if (role === "hash" || role === "key") return this.#opaque(text, role);
    const [isProtobuf, isPage] = [role === "protobuf", role === "page"];
    const isKnownForIt = isProtobuf || isPage;
    if (role === "prose" || (!isKnownForIt && (text.length < base64LengthMin || isWord(text)))) return undefined;
    const cached = isProtobuf ? this.#blobs.get(text) : undefined;
    if (cached !== undefined) return cached;
    if (!isBase64(text)) return undefined;
    const latin = latinOfAnyBase64(text);
    if (latin === undefined || !(isKnownForIt || this.#isInteresting(latin))) return undefined;
    const bytes = bytesOfLatin(latin);
    const inner = (value: string, place: TextPlace) => this.text(value, place, depth + 1);
    const knownSecrets = (value: string) => this.knownSecrets(value);
    const changed = redactBytes(bytes, { text: inner, knownSecrets, renaming: this.#renaming, isProtobuf, isPage });
    const redacted = changed === bytes ? text : inTheFormOf(text, changed);
    if (isProtobuf) this.#blobs.set(text, redacted);
    return redacted;
  }

  #isInteresting(latin: string): boolean {
    return readable.test(latin) || this.#finder.mayHaveSecrets(latin);
  }

  #opaque(text: string, role: "hash" | "key"): string | undefined {
    if (!this.#renaming.renamesBytes || isLongHex.test(text) || !isBase64(text)) return undefined;
    const bytes = bytesOfAnyBase64(text);
    if (bytes === undefined) return undefined;
    const changed = renamedOpaque(bytes, this.#renaming, role);
    return changed === bytes ? undefined : inTheFormOf(text, changed);
  }

  #hint(text: string, kind: HintKind): string {
    return text.includes("::")
      ? this.#any(text, { ...nowhere, hint: kind }, 0)
      : this.#renaming.hint(text, kind, undefined);
  }

  #fingerprint(text: string): string {
    return /^[A-Za-z0-9_ -]{1,68}$/.test(text) ? this.#renaming.fingerprint(text) : this.#any(text, nowhere, depthMax);
  }

  /** Redacts a request id: a hash, a trace id, or a word chosen by the client. An invalid LedgerString stays invalid. */
  #correlation(text: string, place: TextPlace, depth: number): string {
    const isWord = ledgerString.test(text) && !/::|eyJ/.test(text) && !isLongHex.test(text);
    return isWord ? this.#renaming.word(text, "correlation") : this.#any(text, place, depth);
  }

  #user(text: string, place: TextPlace, depth: number): string {
    if (this.#finder.find(text).length > 0) return this.#any(text, { ...place, role: "other" }, depth);
    return userId.test(text) ? this.#renaming.user(text) : this.#any(text, nowhere, depth);
  }

  #isOffset(member: string, parent: string): boolean {
    return this.#placeOf(member).role === "offset" || (member === "value" && parent === "DeduplicationOffset");
  }

  #offset(digits: string): string {
    return /^\d{1,18}$/.test(digits) ? String(this.#renaming.offset(BigInt(digits))) : digits;
  }

  #placeOf(member: string): TextPlace {
    const known = this.#places.get(member);
    if (known !== undefined) return known;
    const place = { role: roleOf(member), hint: hintOf(member), hex: hexOf(member) };
    if (this.#places.size < placesMax) this.#places.set(member, place);
    return place;
  }
}

/** Roles that apply to all members inside. `token` is excluded: it may be an asset on the ledger, with parties in it. */
const hidingRoles: ReadonlySet<string> = new Set(["private", "secret"]);
// The syntaxes of contracts/identifiers.yaml.
const ledgerString = /^[A-Za-z0-9._:\-#/ ]{1,255}$/;
const userId = /^[A-Za-z0-9@^$.!`\-#+'~_|:()]{1,128}$/;
const userPlace: TextPlace = { role: "user", hint: "party", hex: "hash" };

/** Whether a member is a user id: of a user, in a list of users, or as the resource of an error. */
function isUser(member: string, parent: string, previous: string): boolean {
  if (member === "id") return parent === "user" || parent === "users";
  return member === "resources" && previous.includes("USER");
}

function isJsonLike(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first > 32 && first !== 34 && first !== 91 && first !== 123) return false;
  return /^\s*[[{]/.test(text) || /^\s*"[\s\S]*"\s*$/.test(text);
}

/** Whether the text is digits or an id, and therefore not base64. */
function isWord(text: string): boolean {
  return /^(?:[0-9a-f]+|[\w-]+::1220[0-9a-f]{64})$/.test(text);
}

/** Shorter texts are not ids without `::`. */
const interestingLengthMin = 12;
/** Longer values are not cached. */
const knownLengthMax = 300;
const base64LengthMin = 12;
/** Segments of a path that are long enough. A text may have millions of shorter ones. */
const segmentRun = /[^/]{12}[^/]*/g;
/** Base64 within another text. */
// With `{24,}` a run of megabytes would overflow the stack.
const base64Run = /[A-Za-z0-9+/_-]{24}[A-Za-z0-9+/_-]*={0,2}/g;
const base64RunMin = 24;
const oneRun = /^[\w+-]*$/;
const isLongHex = /^[0-9a-f]{32}[0-9a-f]*$/;
const standard = /^[A-Za-z0-9+/]+={0,2}$/;
const urlSafe = /^[A-Za-z0-9_-]+={0,2}$/;
// Ids, digits, and the fixed bytes of a contract id.
// biome-ignore lint/suspicious/noControlCharactersInRegex: bytes are looked at as characters.
const readable = /::|[0-9a-f]{32}|\xca[\x10-\x12]\x12\x20/;

/** Whether a text that redaction keeps stays so: it has no ids, which may get a pseudonym later, and no base64 in parts. */
function isKept(text: string): boolean {
  return !mayHaveIds.test(text) && (text.length < base64RunMin || oneRun.test(text));
}

function isBase64(text: string): boolean {
  return text.length % 4 !== 1 && (standard.test(text) || urlSafe.test(text));
}

/** Encodes bytes with the alphabet and the padding of `form`. */
function inTheFormOf(form: string, bytes: Uint8Array): string {
  const base64 = base64OfBytes(bytes);
  const padded = form.endsWith("=") || form.length % 4 === 0 ? base64 : base64.replace(/=+$/, "");
  const isUrlSafe = /[-_]/.test(form);
  return isUrlSafe ? padded.replaceAll("+", "-").replaceAll("/", "_") : padded;
}

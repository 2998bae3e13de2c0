import { idSpace, keyOf, type Name, nameOf, type Part } from "../../foundation/spec/name-parts.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import { isWordPseudonym, PseudonymReader } from "../redaction/pseudonym-reader.ts";
import { hashOf } from "./hash.ts";

/** A recorded name and the client's name for it. */
export type NamePair = readonly [recorded: Name, live: Name];

/** Longer names, such as whole transactions, are stored as hashes: they are matched but not rewritten. */
const nameLengthMax = 300;

/**
 * The clients' own names for recorded names, one for one, learned from requests. A pseudonym in a response binds nothing: a
 * client may send it back, and the recorded name stays free for an own name. Any other name in a response stands for itself.
 */
export class NamePairs {
  readonly #live = new Map<string, string>();
  readonly #recorded = new Map<string, string>();
  /** Hashes of the bound recorded names. */
  readonly #bound = new Set<number>();
  /** Pseudonyms in responses. */
  readonly #shown = new Set<string>();
  readonly #pseudonyms = new PseudonymReader();
  /** Renamed names by text, for prose; those of ids separately. */
  readonly #renamed = new Map<string, string>();
  readonly #renamedIds = new Map<string, string>();

  /** Whether all pairs are consistent with each other and with earlier ones. */
  canBind(pairs: readonly NamePair[]): boolean {
    return this.clashes(pairs).every((clash) => clash === undefined);
  }

  /** For each pair why it is not consistent with those before it or with earlier requests; undefined if it is. */
  clashes(pairs: readonly NamePair[]): readonly (string | undefined)[] {
    const [lives, recordeds] = [new Map<string, string>(), new Map<string, string>()];
    return pairs.map(([recorded, live]) => {
      if (this.#isShared(recorded, live)) return undefined;
      const [key, liveKey] = [keyFor(recorded), keyFor(live)];
      const other = this.#live.get(key) ?? lives.get(key) ?? liveKey;
      if (other !== liveKey) return standsFor(other === key ? undefined : other, recorded);
      const taken = this.#recorded.get(liveKey) ?? recordeds.get(liveKey) ?? key;
      if (taken !== key) return `${shown(live)} stands for ${textBehind(taken, "another")}`;
      if (this.isFixed(live) && !this.#recorded.has(liveKey)) return `${shown(live)} is an id of an earlier response`;
      lives.set(key, liveKey);
      recordeds.set(liveKey, key);
      return undefined;
    });
  }

  bind(pairs: readonly NamePair[]): void {
    for (const [recorded, live] of pairs) {
      const [key, liveKey] = [keyFor(recorded), keyFor(live)];
      if (this.#live.has(key) || this.#isShared(recorded, live)) continue;
      this.#live.set(key, liveKey);
      this.#recorded.set(liveKey, key);
      this.#bound.add(hashOf(keyOf(recorded)));
      if (recorded.text === live.text) continue;
      (recorded.space === idSpace ? this.#renamedIds : this.#renamed).set(recorded.text, live.text);
    }
  }

  /** Notes the recorded names of a response. Other names than pseudonyms are bound to themselves, unless they are bound already on either side. */
  show(parts: readonly Part[]): void {
    // The namespace of a decentralized party has no form of its own.
    const isOfPseudonym = parts.some(({ type, text }) => type === "name" && isWordPseudonym(text));
    for (const part of parts) {
      if (part.type === "text") continue;
      const key = keyFor(part);
      if (this.#live.has(key) || this.#recorded.has(key) || this.#shown.has(key)) continue;
      if (isOfPseudonym || this.isPseudonym(part)) this.#shown.add(key);
      else this.bind([[part, part]]);
    }
  }

  /** Whether redaction gave this name. */
  isPseudonym(name: Name): boolean {
    return this.isFixed(name) || isWordPseudonym(name.text) || this.#pseudonyms.isPseudonym(name.text);
  }

  /** Whether a client's name is a pseudonym of an earlier response: it stands for itself only. */
  isFixed(live: Name): boolean {
    return this.#shown.has(keyFor(live));
  }

  #isShared(recorded: Name, live: Name): boolean {
    return recorded.text === live.text && recorded.space === live.space && this.isPseudonym(recorded);
  }

  /** The client's name for a recorded name. */
  liveText(part: Part): string {
    return part.type === "text" ? part.text : textBehind(this.#live.get(keyFor(part)), part.text);
  }

  /** The recorded name for a client's name. */
  recordedText(part: Part): string {
    return part.type === "text" ? part.text : textBehind(this.#recorded.get(keyFor(part)), part.text);
  }

  /** The client's word for a word of prose; `isId` if it is before the colons of an id. */
  liveWord(word: string, isId: boolean): string {
    return (isId ? this.#renamedIds.get(word) : this.#renamed.get(word)) ?? word;
  }

  get hasRenamed(): boolean {
    return this.#renamed.size + this.#renamedIds.size > 0;
  }

  /** The hash of the recorded name for a client's name. */
  recordedHash(live: Name): number | undefined {
    const key = this.#recorded.get(keyFor(live));
    if (key === undefined) return undefined;
    return key.startsWith(hashMark) ? Number(key.slice(hashMark.length)) : hashOf(key);
  }

  isBound(recordedHash: number): boolean {
    return this.#bound.has(recordedHash);
  }
}

const hashMark = "#\u0000";

function keyFor(name: Name): string {
  if (name.text.length <= nameLengthMax) return keyOf(name);
  return `${hashMark}${hashOf(keyOf(name))}`;
}

function textBehind(key: string | undefined, otherwise: string): string {
  return key === undefined || key.startsWith(hashMark) ? otherwise : nameOf(key);
}

/** The client's name of a recorded name in earlier requests; undefined for the same one. */
function standsFor(key: string | undefined, recorded: Name): string {
  return key === undefined
    ? `${shown(recorded)} stands for itself`
    : `${textBehind(key, "another")} stands for ${shown(recorded)}`;
}

function shown({ text }: Name): string {
  return shortened(text, 80);
}

import { Correspondence } from "../../checker/comparison/correspondence.ts";
import { idSpace, keyOf, type Name, nameOf, type Part } from "../../checker/comparison/names.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import { hashOf } from "./hash.ts";

/** A recorded name and the client's name for it. */
export type NamePair = readonly [recorded: Name, live: Name];

/** Longer names, such as whole transactions, are stored as hashes: they are matched but not rewritten. */
const nameLengthMax = 300;
const nowhere = { step: 0, pointer: "" };

/** A one-to-one mapping between the client's names and recorded names, learned from requests and responses. */
export class NamePairs {
  readonly #correspondence = new Correspondence();
  /** Hashes of the bound recorded names. */
  readonly #bound = new Set<number>();
  /** Renamed names by text, for prose; those of ids separately. */
  readonly #renamed = new Map<string, string>();
  readonly #renamedIds = new Map<string, string>();

  /** Whether all pairs are consistent with each other and with earlier ones. */
  canBind(pairs: readonly NamePair[]): boolean {
    const [forward, backward] = [new Map<string, string>(), new Map<string, string>()];
    return pairs.every(([recordedName, liveName]) => {
      const [recorded, live] = [keyFor(recordedName), keyFor(liveName)];
      const isFree = (forward.get(recorded) ?? live) === live && (backward.get(live) ?? recorded) === recorded;
      forward.set(recorded, live);
      backward.set(live, recorded);
      return isFree && this.#correspondence.canBind(recorded, live);
    });
  }

  bind(pairs: readonly NamePair[]): void {
    for (const [recorded, live] of pairs) {
      const key = keyFor(recorded);
      if (this.#correspondence.isBound(key)) continue;
      this.#correspondence.bind(key, keyFor(live), nowhere);
      this.#bound.add(hashOf(keyOf(recorded)));
      if (recorded.text === live.text) continue;
      (recorded.space === idSpace ? this.#renamedIds : this.#renamed).set(recorded.text, live.text);
    }
  }

  /** Binds a recorded name in a response to itself, unless it is already bound on either side. */
  bindToItself(recorded: Name): void {
    const key = keyFor(recorded);
    if (this.#correspondence.isBound(key) || this.#correspondence.oracleOf(key) !== undefined) return;
    this.bind([[recorded, recorded]]);
  }

  /** The client's name for a recorded name. */
  liveText(part: Part): string {
    return part.type === "text" ? part.text : textBehind(this.#correspondence.targetOf(keyFor(part)), part.text);
  }

  /** The recorded name for a client's name. */
  recordedText(part: Part): string {
    return part.type === "text" ? part.text : textBehind(this.#correspondence.oracleOf(keyFor(part)), part.text);
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
    const key = this.#correspondence.oracleOf(keyFor(live));
    if (key === undefined) return undefined;
    return key.startsWith(hashMark) ? Number(key.slice(hashMark.length)) : hashOf(key);
  }

  isBound(recordedHash: number): boolean {
    return this.#bound.has(recordedHash);
  }

  /** Why two names cannot be paired. */
  clashOf([recorded, live]: NamePair): string | undefined {
    const other = this.#correspondence.targetOf(keyFor(recorded));
    if (other !== undefined)
      return other === keyFor(live) ? undefined : `${textBehind(other, "another")} stands for ${shown(recorded)}`;
    const taken = this.#correspondence.oracleOf(keyFor(live));
    return taken === undefined ? undefined : `${shown(live)} stands for ${textBehind(taken, "another")}`;
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

function shown({ text }: Name): string {
  return shortened(text, 80);
}

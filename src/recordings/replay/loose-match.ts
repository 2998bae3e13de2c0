import { keyOf } from "../../foundation/spec/name-parts.ts";
import { hashOf } from "./hash.ts";
import type { NamePairs } from "./name-pairs.ts";
import type { RecordingIndex } from "./recording-index.ts";
import type { RequestShape } from "./request-shape.ts";

/** The recorded exchange for a request, and whether it was used before. */
export interface Candidate {
  readonly entry: number;
  readonly isRepeated: boolean;
}

/** Pairs of client tokens and recorded tokens. A different token never excludes an exchange. */
export class TokenPairs {
  readonly #byLive = new Map<number, number>();
  readonly #byRecorded = new Map<number, number>();

  bind(recorded: number, live: number): void {
    if (live === 0 || recorded === 0 || this.#byLive.has(live) || this.#byRecorded.has(recorded)) return;
    this.#byLive.set(live, recorded);
    this.#byRecorded.set(recorded, live);
  }

  /** 0 for paired tokens, 1 if both are unpaired, 2 for others. */
  distance(recorded: number, live: number): 0 | 1 | 2 {
    if (recorded === 0 && live === 0) return 0;
    const known = this.#byLive.get(live);
    if (known !== undefined) return known === recorded ? 0 : 2;
    return this.#byRecorded.has(recorded) || recorded === 0 || live === 0 ? 2 : 1;
  }
}

/** A name of a request: its hash, the hash of its recorded name if it is bound, and what else it may match. */
interface WantedName {
  readonly itself: number;
  readonly recorded: number | undefined;
  readonly isPseudonym: boolean;
  readonly isFixed: boolean;
}

/** Matches requests in any order to recorded exchanges, and tracks which exchanges were used. */
export class LooseMatch {
  readonly #index: RecordingIndex;
  readonly #names: NamePairs;
  readonly #tokens: TokenPairs;
  readonly #used: Uint8Array;
  /** Number of used exchanges at the start of each list of equal shapes, by the first exchange of the list. */
  readonly #given = new Map<number, number>();

  constructor(index: RecordingIndex, names: NamePairs, tokens: TokenPairs) {
    this.#index = index;
    this.#names = names;
    this.#tokens = tokens;
    this.#used = new Uint8Array(index.size);
  }

  isUsed(entry: number): boolean {
    return this.#used[entry] === 1;
  }

  use(entry: number): void {
    this.#used[entry] = 1;
  }

  /**
   * Finds the exchange for a request. Prefers the same token, then an unknown one; the first unused exchange, with
   * the fewest new pairs of names; else the last used one. Exchanges in `refused` are skipped.
   */
  find(shape: RequestShape, refused: ReadonlySet<number>): Candidate | undefined {
    const alike = this.#index.alike(shape);
    const wanted = this.#wantedNames(shape);
    const begin = this.#begin(alike);
    const fresh = this.#firstFresh(alike.subarray(begin), shape, wanted, refused);
    if (fresh?.distance === 0) return { entry: fresh.entry, isRepeated: false };
    const again = this.#lastUsed(alike, shape, wanted, refused);
    if (again !== undefined && again.distance < (fresh?.distance ?? 3)) return { entry: again.entry, isRepeated: true };
    return fresh === undefined ? undefined : { entry: fresh.entry, isRepeated: false };
  }

  #wantedNames({ leaves }: RequestShape): readonly WantedName[] {
    return leaves
      .flatMap(({ names }) => names)
      .map((name) => ({
        itself: hashOf(keyOf(name)),
        recorded: this.#names.recordedHash(name),
        isPseudonym: this.#names.isPseudonym(name),
        isFixed: this.#names.isFixed(name),
      }));
  }

  /** Skips the used exchanges at the start of a list. */
  #begin(alike: Uint32Array): number {
    const [first] = alike;
    if (first === undefined) return 0;
    let given = this.#given.get(first) ?? 0;
    while (given < alike.length && this.isUsed(alike[given] ?? 0)) given += 1;
    if (given > 0) this.#given.set(first, given);
    return given;
  }

  #firstFresh(
    entries: Uint32Array,
    { token }: RequestShape,
    wanted: readonly WantedName[],
    refused: ReadonlySet<number>,
  ): RankedEntry | undefined {
    let best: (RankedEntry & { readonly renamed: number }) | undefined;
    for (const entry of entries) {
      if (this.isUsed(entry) || refused.has(entry)) continue;
      const renamed = this.#renamedNames(entry, wanted);
      if (renamed === undefined) continue;
      const distance = this.#tokens.distance(this.#index.token(entry), token);
      if (best === undefined || (distance - best.distance || renamed - best.renamed) < 0)
        best = { entry, distance, renamed };
      if (distance === 0 && renamed === 0) break;
    }
    return best;
  }

  #lastUsed(
    alike: Uint32Array,
    { token }: RequestShape,
    wanted: readonly WantedName[],
    refused: ReadonlySet<number>,
  ): RankedEntry | undefined {
    let best: RankedEntry | undefined;
    for (let at = alike.length - 1; at >= 0; at -= 1) {
      const entry = alike[at] ?? 0;
      if (!this.isUsed(entry) || refused.has(entry) || this.#renamedNames(entry, wanted) === undefined) continue;
      const distance = this.#tokens.distance(this.#index.token(entry), token);
      if (best === undefined || distance < best.distance) best = { entry, distance };
      if (distance === 0) break;
    }
    return best;
  }

  /** How many names of the request would get a new recorded name from an exchange; undefined if one cannot. */
  #renamedNames(entry: number, wanted: readonly WantedName[]): number | undefined {
    let renamed = 0;
    // Called for each candidate, so no array of hashes is created.
    for (let at = 0; at < wanted.length; at += 1) {
      const name = wanted[at];
      const recorded = this.#index.nameHash(entry, at);
      if (name === undefined || (name.isPseudonym && recorded === name.itself) || recorded === name.recorded) continue;
      if (name.recorded !== undefined || name.isFixed || this.#names.isBound(recorded)) return undefined;
      if (recorded !== name.itself) renamed += 1;
    }
    return renamed;
  }
}

interface RankedEntry {
  readonly entry: number;
  readonly distance: 0 | 1 | 2;
}

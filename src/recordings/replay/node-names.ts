import { offsetKey } from "../../checker/comparison/compare-values.ts";
import { Correspondence } from "../../checker/comparison/correspondence.ts";
import { keyOf, type Name, nameOf, type Part, partsOf } from "../../checker/comparison/names.ts";
import { isJsonObject, type Json } from "../../foundation/json/json.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import { isUserPseudonym } from "../redaction/pseudonym-reader.ts";
import type { NameReader, ValuePath } from "./name-kinds.ts";

/** Limit of the names of one node, in characters; the oldest are dropped. */
const charactersMax = 64 * 1024 * 1024;
/** Limit of missing names; further ones are not tracked. */
const unknownMax = 100_000;

/** Members of requests that hold an offset of the ledger. */
const offsetMembers: ReadonlySet<string> = new Set(["activeAtOffset", "beginExclusive", "endInclusive", "offset"]);

/** A node's names for recorded names, learned from its responses. */
export class NodeNames {
  readonly correspondence: Correspondence = new Correspondence(charactersMax);
  /** Recorded names without a counterpart on the node, with the number of the exchange that should have given it. */
  readonly #unknown = new Map<string, number>();

  constructor(given: readonly (readonly [recorded: string, own: string])[] = []) {
    for (const [recorded, own] of given)
      for (const [left, right] of namesTogether(recorded, own) ?? [])
        this.correspondence.bind(keyOf(left), keyOf(right), { step: 0, pointer: "" });
  }

  /** Binds names chosen by the client to themselves. */
  bindOwn(names: readonly Name[]): void {
    for (const name of names) if (!this.#unknown.has(keyOf(name))) this.correspondence.bindItself(keyOf(name));
  }

  /** The missing names among these, with the exchanges that should have given them. */
  missing(names: readonly Name[]): ReadonlyMap<string, number> {
    const missing = new Map<string, number>();
    for (const name of names) {
      const number = this.#unknown.get(keyOf(name));
      if (number !== undefined) missing.set(name.text, number);
    }
    return missing;
  }

  /** Binds the names of a response that equals the recorded one to themselves. */
  accept(names: readonly Name[]): void {
    for (const name of names) this.#unknown.delete(keyOf(name));
    this.bindOwn(names);
  }

  /** Updates which names of a recorded response are still missing. */
  note(names: readonly Name[], number: number): void {
    for (const name of names) {
      const key = keyOf(name);
      if (this.correspondence.isBound(key)) this.#unknown.delete(key);
      else if (!this.#unknown.has(key) && this.#unknown.size < unknownMax) this.#unknown.set(key, number);
    }
  }

  /** The node's name for a recorded name. */
  textOf(part: Part): string {
    if (part.type === "text") return part.text;
    const known = this.correspondence.targetOf(keyOf(part));
    return known === undefined ? part.text : nameOf(known);
  }

  /** The node's offset for a recorded one; other numbers stay unchanged. */
  offsetOf(digits: string, path: ValuePath): string {
    const isOffset = offsetMembers.has(path.at(-1) ?? "") || path.at(-2) === "DeduplicationOffset";
    const known = isOffset ? this.correspondence.targetOf(offsetKey(BigInt(digits))) : undefined;
    return known === undefined ? digits : nameOf(known);
  }
}

/** Pairs the names in two texts of the same form, such as two party ids; undefined for different forms. */
export function namesTogether(recorded: string, own: string): readonly (readonly [Name, Name])[] | undefined {
  if (isUserPseudonym(recorded) && isIdentifier("userId", own))
    return [
      [
        { type: "name", space: "user", text: recorded },
        { type: "name", space: "user", text: own },
      ],
    ];
  const [left, right] = [partsOf(recorded), partsOf(own)];
  const pairs = left.flatMap((part, at): readonly (readonly [Name, Name])[] => {
    const other = right[at];
    return part.type === "name" && other?.type === "name" ? [[part, other]] : [];
  });
  const isAlike = left.length === right.length && pairs.length === left.filter(({ type }) => type === "name").length;
  return isAlike && pairs.length > 0 ? pairs : undefined;
}

/** The names in a response that the node generated; user and command ids are the client's. */
export function namesGivenIn(json: Json, read: NameReader): readonly Name[] {
  const names: Name[] = [];
  const walk = (value: Json, path: readonly string[]): void => {
    if (Array.isArray(value)) for (const element of value) walk(element, [...path, "*"]);
    else if (isJsonObject(value))
      for (const [member, inner] of Object.entries(value)) {
        keep(partsOf(member));
        walk(inner, [...path, member]);
      }
    else if (typeof value === "string") keep(read(value, path));
  };
  const keep = (parts: readonly Part[]): void => {
    for (const part of parts) if (part.type === "name" && givenSpaces.has(part.space)) names.push(part);
  };
  walk(json, []);
  return names;
}

const givenSpaces: ReadonlySet<string> = new Set(["", "id", "fingerprint"]);

import type { Json } from "../../foundation/json/json.ts";
import { type Table, tableOf } from "../../foundation/table/table.ts";
import { type Right, rightKey } from "./right.ts";

/** A right of a user. Later grants have greater numbers. */
export interface Grant {
  readonly right: Right;
  readonly number: number;
}

interface Grants {
  /** By `rightKey`. */
  readonly table: Table<Grant>;
  /** The number of the next grant. */
  readonly next: number;
}

/**
 * The rights of a user: a persistent set. A change gives a new set that shares its unchanged parts with the old one. The set
 * of a fixture is built on first access: a fixture may give a million users of which a test reads a few, and the keys of all
 * their rights take more memory than the rest.
 */
export class Rights implements Iterable<readonly [key: string, Right]> {
  readonly #written: readonly Json[];
  readonly #rightOf: (written: Json) => Right | undefined;
  #built: Grants | undefined;

  /** The rights of a fixture. `rightOf` gives undefined for an invalid one. */
  constructor(written: readonly Json[], rightOf: (written: Json) => Right | undefined, built?: Grants) {
    this.#written = written;
    this.#rightOf = rightOf;
    this.#built = built;
  }

  /** The rights with these grants. */
  static granted(table: Table<Grant>): Rights {
    let next = 0;
    for (const { number } of table.values()) next = Math.max(next, number + 1);
    return new Rights([], () => undefined, { table, next });
  }

  /** The grants, by `rightKey`. */
  get grants(): Table<Grant> {
    return this.#grants.table;
  }

  get size(): number {
    return this.#grants.table.size;
  }

  has(key: string): boolean {
    return isIn(this.#grants.table, key);
  }

  /** Whether there is a right of this kind over any party. */
  hasSome(kind: string): boolean {
    // No character of a key is below the space between kind and party.
    return this.#grants.table.nextHigherPair(kind)?.[0].startsWith(`${kind} `) === true;
  }

  /** The rights in the order in which they were granted. */
  values(): readonly Right[] {
    return inOrder([...this.#grants.table.values()]);
  }

  /** The rights with these keys, in the order in which they were granted. */
  among(keys: ReadonlySet<string>): readonly Right[] {
    const { table } = this.#grants;
    return inOrder([...keys].flatMap((key) => table.get(key) ?? []));
  }

  *[Symbol.iterator](): IterableIterator<readonly [key: string, Right]> {
    for (const right of this.values()) yield [rightKey(right), right];
  }

  /** The set with more rights. A right that it has keeps its place. */
  with(rights: readonly Right[]): Rights {
    let { table, next } = this.#grants;
    for (const right of rights) {
      const key = rightKey(right);
      if (isIn(table, key)) continue;
      table = table.with(key, { right, number: next }, true);
      next += 1;
    }
    return new Rights([], this.#rightOf, { table, next });
  }

  without(rights: readonly Right[]): Rights {
    let { table, next } = this.#grants;
    for (const right of rights) table = table.without(rightKey(right));
    return new Rights([], this.#rightOf, { table, next });
  }

  get #grants(): Grants {
    this.#built ??= grantsOf(this.#written.flatMap((written) => this.#rightOf(written) ?? []));
    return this.#built;
  }
}

/** As `has` of the table, which walks through a range. */
function isIn(table: Table<Grant>, key: string): boolean {
  return table.get(key) !== undefined;
}

function grantsOf(rights: readonly Right[]): Grants {
  const first = new Map<string, Grant>();
  for (const right of rights) {
    const key = rightKey(right);
    if (!first.has(key)) first.set(key, { right, number: first.size });
  }
  return { table: tableOf(first), next: first.size };
}

function inOrder(grants: readonly Grant[]): readonly Right[] {
  return grants.toSorted((left, right) => left.number - right.number).map(({ right }) => right);
}

export const noRights: Rights = new Rights([], () => undefined, grantsOf([]));

import { type Bytes, chosen, int, joined, message, NOTHING, packed, text } from "./_fields.ts";
import type { Archive } from "./archive-of.ts";

export type LanguageVersion = "2.1" | "2.2";

/** Entries that a package has once, in the order of their first use. */
class Table {
  readonly #indices = new Map<string, number>();
  readonly entries: Bytes[] = [];

  indexOf(entry: Bytes): number {
    const key = Buffer.from(entry).toString("hex");
    const index = this.#indices.get(key) ?? this.entries.length;
    if (index === this.entries.length) this.entries.push(entry);
    this.#indices.set(key, index);
    return index;
  }
}

/** What an expression or a type of a package is encoded with: the tables of the package, and the module it is in. */
export class Tables {
  module = "";
  readonly #strings = new Table();
  readonly #names = new Table();
  readonly #kinds = new Table();
  readonly #types = new Table();
  readonly #expressions = new Table();
  readonly #imports: readonly string[];

  /** Packages that the definitions refer to. */
  readonly used: Set<Archive> = new Set();

  /** Whether kinds and expressions have tables, and each application has one argument: from LF 2.2 on. */
  readonly isFlat: boolean;

  /** Without the imports, the tables only find out which packages are used. */
  constructor(version: LanguageVersion, imports: readonly Archive[] = []) {
    this.isFlat = version !== "2.1";
    this.#imports = imports.flatMap(({ isStable, id }) => (isStable ? [] : [id])).sort();
  }

  string(value: string): number {
    return this.#strings.indexOf(text(2, value));
  }

  /** The index of an identifier, with the characters escaped that an archive does not allow. */
  identifier(name: string): number {
    return this.string(
      name.replace(/[^A-Za-z0-9_]/g, (character) =>
        character === "$" ? "$$" : `$u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
      ),
    );
  }

  dottedName(name: string): number {
    return this.#nameOf(name.split("."));
  }

  /** The name of a value is one segment, with its dots escaped. */
  valueName(name: string): number {
    return this.#nameOf([name]);
  }

  #nameOf(segments: readonly string[]): number {
    const indices = segments.map((segment) => this.identifier(segment));
    return this.#names.indexOf(message(3, packed(1, indices)));
  }

  kind(content: Bytes): Bytes {
    return this.isFlat ? chosen(4, this.#kinds.indexOf(message(6, content))) : content;
  }

  type(content: Bytes): Bytes {
    return chosen(8, this.#types.indexOf(message(5, content)));
  }

  expression(content: Bytes): Bytes {
    return this.isFlat ? chosen(44, this.#expressions.indexOf(message(7, content))) : content;
  }

  packageReference(archive: Archive | undefined): Bytes {
    if (archive === undefined) return message(1, message(1));
    this.used.add(archive);
    if (!this.isFlat || archive.isStable) return message(1, chosen(3, this.string(archive.id)));
    return message(1, chosen(4, Math.max(0, this.#imports.indexOf(archive.id))));
  }

  /** Fields 2 and 3 of `Package`. */
  names(): readonly Bytes[] {
    return [...this.#strings.entries, ...this.#names.entries];
  }

  /** Fields 5 to 9 of `Package`. */
  rest(): readonly Bytes[] {
    const imports = message(9, ...this.#imports.map((id) => text(1, id)));
    return [
      ...this.#types.entries,
      ...this.#kinds.entries,
      ...this.#expressions.entries,
      this.isFlat ? imports : NOTHING,
    ];
  }
}

/** A definition: `Module:Name`, or `Name` in the module that refers to it. */
export type Reference = string | { readonly archive: Archive; readonly name: string };

/** A definition of another package. */
export function from(archive: Archive, name: string): Reference {
  return { archive, name };
}

/** TypeConId, TypeSynId and ValueId have the same fields. */
export function definitionId(tables: Tables, reference: Reference, kind: "type" | "value"): Bytes {
  const { archive, name } = typeof reference === "string" ? { archive: undefined, name: reference } : reference;
  const [definition = "", module = tables.module] = name.split(":").reverse();
  const id = message(1, tables.packageReference(archive), int(2, tables.dottedName(module)));
  const index = kind === "type" ? tables.dottedName(definition) : tables.valueName(definition);
  return joined(id, int(2, index));
}

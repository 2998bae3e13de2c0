import { WireType } from "@bufbuild/protobuf/wire";
import { BytesCursor } from "./bytes-cursor.ts";
import { isOfType, skipValue, tableOf, utf8, type WireMessage } from "./message.ts";
import type { FieldTable, MessageTable } from "./message-table.ts";
import { builtinTypes } from "./schema.ts";

/** What a pass over all bytes of a package finds. */
interface PackageScan {
  /** Fields that the schema does not have. A node refuses them. */
  readonly unknownFields: number;
  /** Indices of the texts that name packages, and of the imports that are used. */
  readonly packageTexts: ReadonlySet<number>;
}

/** Nesting of messages that a node reads (Canton 3.5: the recursion limits of its decoders). */
const depthMaxOf = (minor: string): number => (minor === "1" ? 1000 : 100);

/**
 * Checks every byte of a package, without making a value: wire types, lengths, texts in UTF-8, nesting, and that an index is
 * one of an entry; an entry of a table refers only to earlier ones. What is decoded later is thus known to be readable.
 * Throws RangeError or TypeError.
 */
export function scanPackage(message: WireMessage<"Package">, minor: string): PackageScan {
  const scan = new Scan(message, depthMaxOf(minor));
  scan.message(tableOf("Package"), message.end, 0);
  return { unknownFields: scan.unknownFields, packageTexts: scan.packageTexts };
}

/** The tables of a package, by the type of their indices, with the fields that hold their entries. */
const entryTables = [
  ["internedDottedNames", "name"],
  ["internedTypes", "type"],
  ["internedKinds", "kind"],
  ["internedExprs", "expr"],
] as const;
const entries: ReadonlyMap<string, string> = new Map(entryTables);

class Scan {
  unknownFields = 0;
  readonly packageTexts = new Set<number>();
  readonly #cursor: BytesCursor;
  readonly #depthMax: number;
  /** The number of entries that an index of a type may refer to. While an entry of a table is read, those before it. */
  readonly #sizes: Map<string, number>;

  constructor(message: WireMessage<"Package">, depthMax: number) {
    this.#cursor = new BytesCursor(message.bytes, message.start, message.end);
    this.#depthMax = depthMax;
    const strings = message.count("internedStrings");
    this.#sizes = new Map([
      ["str", strings],
      ["package", strings],
      ["import", message.one("packageImports")?.count("importedPackages") ?? 0],
      ...entryTables.map(([field, type]) => [type, message.count(field)] as const),
    ]);
  }

  message(table: MessageTable, end: number, depth: number): void {
    if (depth > this.#depthMax) throw new RangeError(`messages are nested deeper than ${this.#depthMax}`);
    const cursor = this.#cursor;
    const outer = cursor.end;
    cursor.end = end;
    const seen = depth === 0 ? new Map<string, number>() : undefined;
    let present = 0;
    while (cursor.position < end) {
      const tag = cursor.varint();
      if (tag < 256) present |= 1 << (tag >>> 3);
      const field = table.field(Math.floor(tag / 8));
      if (field === undefined) {
        if (tag < 8) throw new RangeError("a field has the number 0");
        this.unknownFields += 1;
        skipValue(cursor, tag % 8);
      } else if (!isOfType(field, tag % 8)) throw new RangeError(`${table.name}.${field.name} has another wire type`);
      else if (seen === undefined) this.#value(field, tag % 8, depth);
      else this.#entry(field, tag % 8, seen);
    }
    if ((present & table.requiredBits) !== table.requiredBits) throw new RangeError(`${table.name} lacks a field`);
    if (table.name === "Type" && present === 0) throw new RangeError("a type has no kind");
    cursor.end = outer;
  }

  /** A field of the package itself. An entry of a table may refer to the entries before it only. */
  #entry(field: FieldTable, wireType: number, seen: Map<string, number>): void {
    const index = seen.get(field.name) ?? 0;
    seen.set(field.name, index + 1);
    const type = entries.get(field.name);
    const size = type === undefined ? undefined : this.#sizes.get(type);
    if (type !== undefined) this.#sizes.set(type, index);
    this.#value(field, wireType, 0);
    if (type !== undefined && size !== undefined) this.#sizes.set(type, size);
  }

  #value(field: FieldTable, wireType: number, depth: number): void {
    const cursor = this.#cursor;
    if (wireType === WireType.Varint) this.#number(field.type, cursor.varint());
    else if (wireType === WireType.LengthDelimited) this.#sized(field, depth);
    else skipValue(cursor, wireType);
  }

  #sized(field: FieldTable, depth: number): void {
    const cursor = this.#cursor;
    const end = cursor.sized();
    if (field.message !== undefined) this.message(field.message, end, depth + 1);
    else if (field.wireType === WireType.Varint)
      while (cursor.position < end) this.#number(field.type, cursor.varint());
    else if (field.type === "string" && !isAscii(cursor.bytes, cursor.position, end))
      utf8(cursor.bytes.subarray(cursor.position, end));
    if (cursor.position > end) throw new RangeError(`${field.name} exceeds its length`);
    cursor.position = end;
  }

  #number(type: string, value: number): void {
    if (type === "builtin" && !builtinTypes.has(value)) throw new RangeError(`there is no built-in type ${value}`);
    const size = this.#sizes.get(type);
    if (size === undefined) return;
    if (value >= size) throw new RangeError(`${type} ${value} is not one of ${size}`);
    if (type === "package") this.packageTexts.add(value);
  }
}

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) if ((bytes[index] ?? 0) > 127) return false;
  return true;
}

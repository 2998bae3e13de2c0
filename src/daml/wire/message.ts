import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { BytesCursor } from "./bytes-cursor.ts";
import { type FieldTable, type MessageTable, messageTables } from "./message-table.ts";
import { envelope, required, schema } from "./schema.ts";

type Definitions = typeof schema & typeof envelope;
export type MessageName = keyof Definitions;
type Fields<Name extends MessageName> = Definitions[Name];

/** The names of the fields of a message that have a type; `*` ends the types of repeated fields. */
type FieldOf<Name extends MessageName, Type extends string> = {
  [Field in keyof Fields<Name>]: Fields<Name>[Field] extends `${number} ${Type}` ? Field : never;
}[keyof Fields<Name>] &
  string;

type Target<Name extends MessageName, Field, End extends string = ""> = Field extends keyof Fields<Name>
  ? Fields<Name>[Field] extends `${number} ${infer Type extends MessageName}${End}`
    ? Type
    : never
  : never;

type WholeNumber =
  | "int32"
  | "enum"
  | "bool"
  | "builtin"
  | "str"
  | "name"
  | "type"
  | "kind"
  | "expr"
  | "import"
  | "package";

const tables = messageTables({ ...schema, ...envelope }, required);

export function tableOf(name: MessageName): MessageTable {
  const table = tables.get(name);
  if (table === undefined) throw new Error(`invariant: the schema has the message ${name}`);
  return table;
}

/**
 * A message as a part of a buffer. The places of its fields are found when the first one is read, and inner messages are
 * again parts of the buffer. Of several values of a field that is not repeated, the last counts.
 */
export class WireMessage<Name extends MessageName> {
  readonly name: Name;
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  #places: ReadonlyMap<string, number[]> | undefined;

  constructor(name: Name, bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.name = name;
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  /** Whether a field is on the wire. In a union this decides, also if the value is 0. */
  has(field: keyof Fields<Name> & string): boolean {
    return this.#found().has(field);
  }

  /** How often a field is on the wire. */
  count(field: keyof Fields<Name> & string): number {
    return (this.#found().get(field)?.length ?? 0) / 2;
  }

  /** The names of the fields on the wire. */
  names(): readonly string[] {
    return [...this.#found().keys()];
  }

  /** The value of a whole number, 0 if the field is absent. */
  number(field: FieldOf<Name, WholeNumber>): number {
    return this.#number(field);
  }

  bool(field: FieldOf<Name, "bool">): boolean {
    return this.#number(field) !== 0;
  }

  /** A signed 64-bit number. */
  bigint(field: FieldOf<Name, "sint64" | "sfixed64">): bigint {
    const [start, end] = this.#last(field);
    if (start === undefined || end === undefined) return 0n;
    const reader = new BinaryReader(this.bytes.subarray(start, end));
    return BigInt(tableOf(this.name).named(field).type === "sint64" ? reader.sint64() : reader.sfixed64());
  }

  text(field: FieldOf<Name, "string">): string {
    return utf8(this.#octets(field));
  }

  texts(field: FieldOf<Name, "string*">): readonly string[] {
    return Array.from({ length: this.count(field) }, (_, index) => this.textAt(field, index));
  }

  textAt(field: FieldOf<Name, "string*">, index: number): string {
    const places = this.#found().get(field) ?? [];
    return utf8(this.bytes.subarray(places[2 * index], places[2 * index + 1]));
  }

  /** Bytes; empty if the field is absent. */
  octets(field: FieldOf<Name, "bytes">): Uint8Array {
    return this.#octets(field);
  }

  /** The whole numbers of a repeated field, packed or not. */
  numbers(field: FieldOf<Name, `${WholeNumber}*`>): readonly number[] {
    return this.#pairs(field).flatMap(([start, end]) => {
      const cursor = new BytesCursor(this.bytes, start, end);
      const values: number[] = [];
      while (!cursor.isAtEnd) values.push(cursor.varint());
      return values;
    });
  }

  /** An inner message; undefined if it is absent. */
  one<Field extends FieldOf<Name, MessageName>>(field: Field): WireMessage<Target<Name, Field>> | undefined {
    const [start, end] = this.#last(field);
    return start === undefined || end === undefined ? undefined : this.#inner(field, start, end);
  }

  /** The inner messages of a repeated field; each is made when it is read. */
  all<Field extends FieldOf<Name, `${MessageName}*`>>(field: Field): MessageList<Target<Name, Field, "*">> {
    // The cast holds: the schema names the message of the field, and the type is computed from the schema.
    const target = targetOf(this.name, field) as Target<Name, Field, "*">;
    return new MessageList(target, this.bytes, this.#found().get(field) ?? []);
  }

  #inner<Field extends string>(field: Field, start: number, end: number): WireMessage<Target<Name, Field>> {
    // The cast holds: the schema names the message of the field, and the type is computed from the schema.
    const target = targetOf(this.name, field) as Target<Name, Field>;
    return new WireMessage(target, this.bytes, start, end);
  }

  #number(field: string): number {
    const [start, end] = this.#last(field);
    return start === undefined || end === undefined ? 0 : new BytesCursor(this.bytes, start, end).varint();
  }

  #octets(field: string): Uint8Array {
    const [start = 0, end = 0] = this.#last(field);
    return this.bytes.subarray(start, end);
  }

  #last(field: string): readonly number[] {
    return this.#found().get(field)?.slice(-2) ?? [];
  }

  #pairs(field: string): readonly (readonly [number, number])[] {
    const places = this.#found().get(field) ?? [];
    return Array.from({ length: places.length / 2 }, (_, index) => [
      places[2 * index] ?? 0,
      places[2 * index + 1] ?? 0,
    ]);
  }

  #found(): ReadonlyMap<string, number[]> {
    this.#places ??= placesOf(this, tableOf(this.name));
    return this.#places;
  }
}

/** The messages of a repeated field. */
export class MessageList<Name extends MessageName> {
  readonly length: number;
  readonly #name: Name;
  readonly #bytes: Uint8Array;
  /** The begin and the end of each. */
  readonly #places: readonly number[];

  constructor(name: Name, bytes: Uint8Array, places: readonly number[]) {
    this.#name = name;
    this.#bytes = bytes;
    this.#places = places;
    this.length = places.length / 2;
  }

  at(index: number): WireMessage<Name> {
    const [start, end] = [this.#places[2 * index], this.#places[2 * index + 1]];
    if (start === undefined || end === undefined) throw new RangeError(`there is no ${this.#name} ${index}`);
    return new WireMessage(this.#name, this.#bytes, start, end);
  }

  map<Mapped>(map: (message: WireMessage<Name>) => Mapped): readonly Mapped[] {
    return Array.from({ length: this.length }, (_, index) => map(this.at(index)));
  }
}

function targetOf(name: MessageName, field: string): string {
  return tableOf(name).named(field).type;
}

/** A part of a buffer. */
type Part = Pick<WireMessage<never>, "bytes" | "start" | "end">;

/** The begins and the ends of the values of each field. Fields that the table does not have are skipped. */
function placesOf({ bytes, start, end }: Part, table: MessageTable): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>();
  const cursor = new BytesCursor(bytes, start, end);
  while (!cursor.isAtEnd) {
    const tag = cursor.varint();
    const field = table.field(Math.floor(tag / 8));
    const from = skipValue(cursor, tag % 8);
    if (field === undefined) continue;
    const known = places.get(field.name);
    if (known === undefined) places.set(field.name, [from, cursor.position]);
    else known.push(from, cursor.position);
  }
  return places;
}

/** Skips a value; the result is its begin. */
export function skipValue(cursor: BytesCursor, wireType: number): number {
  const from = cursor.position;
  switch (wireType) {
    case WireType.Varint:
      cursor.varint();
      return from;
    case WireType.Bit64:
      cursor.skip(8);
      return from;
    case WireType.Bit32:
      cursor.skip(4);
      return from;
    case WireType.LengthDelimited: {
      const end = cursor.sized();
      const begin = cursor.position;
      cursor.position = end;
      return begin;
    }
    default:
      throw new RangeError(`a field has the wire type ${wireType}`);
  }
}

/** Whether a value on the wire has the type of its field; numbers of repeated fields may be packed. */
export function isOfType({ isRepeated, wireType }: FieldTable, found: number): boolean {
  return found === wireType || (isRepeated && wireType === WireType.Varint && found === WireType.LengthDelimited);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Text of bytes that must be UTF-8. Throws TypeError. */
export function utf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

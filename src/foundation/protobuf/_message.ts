import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { base64OfBytes, bytesOfBase64 } from "../text/base64.ts";
import { joined } from "./_joined.ts";
import { ReverseWriter } from "./_reverse-writer.ts";
import type { Reading, Type } from "./_wire-types.ts";
import type { FieldBudget } from "./field-budget.ts";

// Messages as tables of fields: one table reads and writes a message. Unknown fields are skipped. Of several values of a
// field that is not repeated, the last counts.

/** A field of a message. */
export interface Field<Value> {
  readonly number: number;
  readonly wireTypes: readonly WireType[];
  absent(): Value;
  /** The value after one more occurrence of the field. */
  read(reading: Reading, wireType: WireType, before: Value | undefined): Value;
  write(writer: ReverseWriter, value: Value): void;
}

/** A field without which a message is invalid; it is always written. */
export function required<Value>(number: number, type: Type<Value>): Field<Value> {
  return {
    number,
    wireTypes: [type.wireType],
    absent: () => {
      throw new RangeError(`field ${number} is missing`);
    },
    read: (reading) => type.read(reading),
    write: (writer, value) => {
      type.write(writer, value);
      writer.tag(number, type.wireType);
    },
  };
}

/** A field that is omitted for the default value of its type. A message has none: its field is required. */
export function field<Value>(number: number, type: Type<Value>): Field<Value> {
  const present = required(number, type);
  const { absent } = type;
  if (absent === undefined) return present;
  const { write } = present;
  const isAbsent = (value: Value) => value === absent || (value instanceof Uint8Array && value.length === 0);
  return { ...present, absent: () => absent, write: (writer, value) => isAbsent(value) || write(writer, value) };
}

export function optional<Value>(number: number, type: Type<Value>): Field<Value | undefined> {
  const { write, ...present } = required(number, type);
  return {
    ...present,
    absent: () => undefined,
    write: (writer, value) => value === undefined || write(writer, value),
  };
}

/** Values in order. Numbers are written one by one, and may be packed. */
export function repeated<Value>(number: number, type: Type<Value>): Field<Value[]> {
  const { write } = required(number, type);
  return {
    number,
    wireTypes: [type.wireType, WireType.LengthDelimited],
    absent: () => [],
    read: (reading, wireType, values = []) => {
      if (wireType === type.wireType) values.push(type.read(reading));
      else readParts(reading, () => values.push(type.read(reading)));
      return values;
    },
    write: (writer, values) => {
      for (const value of values.toReversed()) write(writer, value);
    },
  };
}

/** A message by the fields of its value, which are in this order. */
export function message<Value extends object>(
  fields: {
    readonly [Name in keyof Value]-?: Field<Value[Name]>;
  },
): Type<Value> {
  const named = Object.entries<Field<unknown>>(fields);
  const fromLast = named.toReversed();
  const readValues = valuesReader(Object.values<Field<unknown>>(fields));
  return messageType(
    (reading) => {
      const values = readValues(reading);
      const read: Record<string, unknown> = {};
      for (let place = 0; place < named.length; place += 1) read[named[place]?.[0] ?? ""] = values[place];
      // Every member has the value of its field, so the cast holds.
      return read as Value; // cast
    },
    (writer, value) => {
      for (const [name, known] of fromLast) known.write(writer, Reflect.get(value, name));
    },
  );
}

/** A message of a key and a value. */
export function pair<Key, Value>(key: Field<Key>, value: Field<Value>): Type<readonly [key: Key, value: Value]> {
  const readValues = valuesReader([key, value]);
  return messageType(
    // The values are in the order of their fields, so the cast holds.
    (reading) => readValues(reading) as unknown as readonly [Key, Value], // cast
    (writer, [first, second]) => {
      value.write(writer, second);
      key.write(writer, first);
    },
  );
}

/** Reads the values of fields, in their order. */
function valuesReader(fields: readonly Field<unknown>[]): (reading: Reading) => unknown[] {
  const byNumber = new Map(fields.map((known, place) => [known.number, { known, place }]));
  return (reading) => {
    const values: unknown[] = fields.map(() => undefined);
    readFields(reading, byNumber, ({ known, place }, wireType) => {
      values[place] = known.read(reading, wireType, values[place]);
    });
    for (let place = 0; place < values.length; place += 1) values[place] ??= fields[place]?.absent();
    return values;
  };
}

type Tagged = { readonly type: string };

/** Maximum nesting of unions: of Daml values, as on a node. */
const depthMax = 100;

/** A message of which one field is set; `type` names the field. `none` is the value if no known field is set. */
export function union<Value extends Tagged, None extends string = never>(
  cases: {
    readonly [Name in Exclude<Value["type"], None>]: Field<Omit<Extract<Value, { readonly type: Name }>, "type">>;
  },
  none: () => Value,
): Type<Value> {
  const byName = new Map(Object.entries<Field<object>>(cases));
  const byNumber = new Map([...byName].map(([type, known]) => [known.number, { known, type }]));
  return messageType(
    (reading) => {
      reading.depth += 1;
      if (reading.depth > depthMax) throw new RangeError("the value is nested too deep");
      let value: unknown;
      readFields(reading, byNumber, ({ known, type }, wireType) => {
        value = { type, ...known.read(reading, wireType, undefined) };
      });
      reading.depth -= 1;
      // Each case reads the members of its type, so the cast holds.
      return value === undefined ? none() : (value as Value); // cast
    },
    (writer, value) => {
      writer.depth += 1;
      if (writer.depth > depthMax) writer.markInexact();
      byName.get(value.type)?.write(writer, value);
      writer.depth -= 1;
    },
  );
}

/** A message that is defined later, since it contains itself. */
export function lazy<Value>(type: () => Type<Value>): Type<Value> {
  return {
    wireType: WireType.LengthDelimited,
    read: (reading) => type().read(reading),
    write: (writer, value) => type().write(writer, value),
  };
}

function messageType<Value>(
  read: (reading: Reading) => Value,
  writeFields: (writer: ReverseWriter, value: Value) => void,
): Type<Value> {
  return {
    wireType: WireType.LengthDelimited,
    read,
    write: (writer, value) => {
      const before = writer.length;
      writeFields(writer, value);
      writer.lengthSince(before);
    },
  };
}

/** Reads the parts of a length-delimited value. Throws if the last part exceeds it. */
function readParts(reading: Reading, readPart: () => void): void {
  const { reader } = reading;
  const end = reader.uint32() + reader.pos;
  while (reader.pos < end) {
    reading.budget.spend();
    readPart();
  }
  if (reader.pos > end) throw new RangeError("a field exceeds its message");
}

/** Reads a message: `take` reads each known field. */
function readFields<Known extends { readonly known: Field<unknown> }>(
  reading: Reading,
  byNumber: ReadonlyMap<number, Known>,
  take: (found: Known, wireType: WireType) => void,
): void {
  const { reader } = reading;
  readParts(reading, () => {
    const [number, wireType] = reader.tag();
    const found = byNumber.get(number);
    if (found === undefined) reader.skip(wireType, number);
    else if (!found.known.wireTypes.includes(wireType)) throw new RangeError(`field ${number} has another type`);
    else take(found, wireType);
  });
}

/** Reads a message; undefined if it is invalid, or has more fields than the budget has left. */
export function fromBytes<Value>(type: Type<Value>, bytes: Uint8Array, budget: FieldBudget): Value | undefined {
  try {
    const length = new BinaryWriter().uint32(bytes.length).finish();
    return type.read({ reader: new BinaryReader(joined([length, bytes])), depth: 0, budget });
  } catch {
    return undefined;
  }
}

/** Reads a message in standard base64; undefined if it is invalid, or has more fields than the budget has left. */
export function fromBase64<Value>(type: Type<Value>, base64: string, budget: FieldBudget): Value | undefined {
  const bytes = bytesOfBase64(base64);
  return bytes === undefined ? undefined : fromBytes(type, bytes, budget);
}

export function toBytes<Value>(type: Type<Value>, value: Value): Uint8Array {
  return written(type, value).slice();
}

/** Standard base64 with padding. */
export function toBase64<Value>(type: Type<Value>, value: Value): string {
  return base64OfBytes(written(type, value));
}

/** A message as it was written. */
export interface Encoded {
  /** Standard base64 with padding. */
  readonly base64: string;
  /** The number of its fields, inner ones included. */
  readonly fields: number;
  /** Whether a reader gives the value that was written. */
  readonly isExact: boolean;
}

export function encoded<Value>(type: Type<Value>, value: Value): Encoded {
  const writer = new ReverseWriter();
  const base64 = base64OfBytes(written(type, value, writer));
  return { base64, fields: writer.fields, isExact: writer.isExact };
}

/** The bytes of a message, without its length. They are a part of the buffer of the writer. */
function written<Value>(type: Type<Value>, value: Value, writer: ReverseWriter = new ReverseWriter()): Uint8Array {
  type.write(writer, value);
  return new BinaryReader(writer.bytes).bytes();
}

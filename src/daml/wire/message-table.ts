import { WireType } from "@bufbuild/protobuf/wire";

/** A message of the schema, ready for reading. */
export class MessageTable {
  readonly name: string;
  /** Fields that may not be absent, by bit. Their numbers are small. */
  requiredBits = 0;
  readonly #required: readonly string[];
  readonly #byName = new Map<string, FieldTable>();
  /** By number; larger numbers are looked up in a map. */
  readonly #dense: (FieldTable | undefined)[] = new Array(denseMax).fill(undefined);
  readonly #sparse = new Map<number, FieldTable>();

  constructor(name: string, required: readonly string[] = []) {
    this.name = name;
    this.#required = required;
  }

  add(field: FieldTable): void {
    this.#byName.set(field.name, field);
    if (this.#required.includes(field.name)) this.requiredBits |= 1 << field.number;
    if (field.number < denseMax) this.#dense[field.number] = field;
    else this.#sparse.set(field.number, field);
  }

  field(number: number): FieldTable | undefined {
    return number < denseMax ? this.#dense[number] : this.#sparse.get(number);
  }

  named(name: string): FieldTable {
    const field = this.#byName.get(name);
    if (field === undefined) throw new Error(`invariant: ${this.name} has a field ${name}`);
    return field;
  }
}

/** A field of a message. */
export interface FieldTable {
  readonly name: string;
  readonly number: number;
  /** A scalar, or the name of a message. */
  readonly type: string;
  readonly wireType: WireType;
  readonly isRepeated: boolean;
  /** The table of the message; undefined for a scalar. */
  readonly message: MessageTable | undefined;
}

const denseMax = 64;
const wireTypes: ReadonlyMap<string, WireType> = new Map([
  ["string", WireType.LengthDelimited],
  ["bytes", WireType.LengthDelimited],
  ["sfixed64", WireType.Bit64],
]);

/** The tables of messages by name. Their fields are written as in `schema`. */
export function messageTables(
  definitions: Readonly<Record<string, Readonly<Record<string, string>>>>,
  required: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, MessageTable> {
  // Messages refer to each other, so all tables are there before the first has fields.
  const tables = new Map(Object.keys(definitions).map((name) => [name, new MessageTable(name, required[name])]));
  for (const [name, fields] of Object.entries(definitions))
    for (const [field, text] of Object.entries(fields)) tables.get(name)?.add(fieldTable(field, text, tables));
  return tables;
}

function fieldTable(name: string, text: string, tables: ReadonlyMap<string, MessageTable>): FieldTable {
  const [, number = "", type = "", star] = /^(\d+) (\w+)(\*)?$/.exec(text) ?? [];
  const message = tables.get(type);
  const wireType = message === undefined ? (wireTypes.get(type) ?? WireType.Varint) : WireType.LengthDelimited;
  return { name, number: Number(number), type, wireType, isRepeated: star !== undefined, message };
}

import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

// A created event as the ledger serializes it (facts, registry 5): Versioned { 1: "2.1", 2: FatContractInstance }.

/** What the outer fields of a disclosed contract repeat from its blob. `templateId` is package:module:entity. */
export interface CreatedEvent {
  readonly contractId: string;
  readonly packageName: string;
  readonly templateId: string;
  readonly createdAtMicros: bigint;
  readonly signatories: readonly string[];
  /** The create argument, a serialized Daml value. */
  readonly createArgument: Uint8Array;
}

const serializationVersion = "2.1";
const authenticationDataLength = 42;

/** Standard base64 with padding of the serialized created event. */
export function encodeCreatedEventBlob(event: CreatedEvent): string {
  const [packageId = "", moduleName = "", entityName = ""] = event.templateId.split(":");
  const template = new BinaryWriter().tag(1, WireType.LengthDelimited).string(packageId);
  for (const segment of moduleName.split(".")) template.tag(2, WireType.LengthDelimited).string(segment);
  for (const segment of entityName.split(".")) template.tag(3, WireType.LengthDelimited).string(segment);
  const instance = new BinaryWriter()
    .tag(1, WireType.LengthDelimited)
    .bytes(fromHex(event.contractId))
    .tag(2, WireType.LengthDelimited)
    .string(event.packageName)
    .tag(3, WireType.LengthDelimited)
    .bytes(template.finish())
    .tag(4, WireType.LengthDelimited)
    .bytes(event.createArgument);
  for (const signatory of event.signatories) instance.tag(5, WireType.LengthDelimited).string(signatory);
  instance.tag(7, WireType.Bit64).fixed64(event.createdAtMicros);
  instance.tag(8, WireType.LengthDelimited).bytes(new Uint8Array(authenticationDataLength));
  const versioned = new BinaryWriter()
    .tag(1, WireType.LengthDelimited)
    .string(serializationVersion)
    .tag(2, WireType.LengthDelimited)
    .bytes(instance.finish());
  return btoa(String.fromCharCode(...versioned.finish()));
}

/** The event in a blob; undefined where it is no such protobuf. */
export function decodeCreatedEventBlob(base64: string): CreatedEvent | undefined {
  try {
    const versioned = fieldsOf(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
    const instance = fieldsOf(versioned.get(2)?.[0] ?? new Uint8Array());
    const template = fieldsOf(instance.get(3)?.[0] ?? new Uint8Array());
    const created = instance.get(7)?.[0];
    if (created === undefined || instance.get(1) === undefined) return undefined;
    const path = [2, 3].map((field) => (template.get(field) ?? []).map(toText).join("."));
    return {
      contractId: toHex(instance.get(1)?.[0] ?? new Uint8Array()),
      packageName: toText(instance.get(2)?.[0] ?? new Uint8Array()),
      templateId: [toText(template.get(1)?.[0] ?? new Uint8Array()), ...path].join(":"),
      createdAtMicros: new DataView(created.buffer, created.byteOffset, created.byteLength).getBigUint64(0, true),
      signatories: (instance.get(5) ?? []).map(toText),
      createArgument: instance.get(4)?.[0] ?? new Uint8Array(),
    };
  } catch {
    return undefined;
  }
}

/** The length-delimited and 64-bit fields of a message, by number. Throws where the message does not close. */
function fieldsOf(bytes: Uint8Array): ReadonlyMap<number, readonly Uint8Array[]> {
  const fields = new Map<number, Uint8Array[]>();
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    const values = fields.get(field) ?? [];
    if (type === WireType.LengthDelimited) values.push(reader.bytes());
    else if (type === WireType.Bit64) {
      values.push(bytes.slice(reader.pos, reader.pos + 8));
      reader.skip(type, field);
    } else reader.skip(type, field);
    fields.set(field, values);
  }
  return fields;
}

/** A Daml record whose members are the given texts, names left out as in recorded blobs. */
export function encodeTextRecord(texts: readonly string[]): Uint8Array {
  const record = new BinaryWriter();
  for (const text of texts) {
    const value = new BinaryWriter().tag(8, WireType.LengthDelimited).string(text).finish();
    const field = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(value).finish();
    record.tag(1, WireType.LengthDelimited).bytes(field);
  }
  return new BinaryWriter().tag(13, WireType.LengthDelimited).bytes(record.finish()).finish();
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function toText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

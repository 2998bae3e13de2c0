import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { base64OfBytes, bytesOfBase64 } from "../text/base64.ts";
import { readFields } from "./_fields.ts";

// A serialized created event (Splice 0.7, recorded responses and transaction.proto): Versioned { 1: "2.1", 2: FatContractInstance }.

/** The contents of a blob that the outer fields of a disclosed contract repeat. `templateId` is package:module:entity. */
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
    .bytes(hexToBytes(event.contractId))
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
  return base64OfBytes(versioned.finish());
}

/** Decodes the event in a blob; undefined for an invalid protobuf. */
export function decodeCreatedEventBlob(base64: string): CreatedEvent | undefined {
  const bytes = bytesOfBase64(base64);
  if (bytes === undefined) return undefined;
  try {
    const instance = readFields(bytes).message(2);
    const template = instance?.message(3);
    if (instance?.has(1) !== true || template === undefined || !instance.has(7)) return undefined;
    return {
      contractId: bytesToHex(instance.bytes(1).at(-1) ?? new Uint8Array()),
      packageName: instance.text(2),
      templateId: [template.text(1), template.texts(2).join("."), template.texts(3).join(".")].join(":"),
      createdAtMicros: instance.integer(7),
      signatories: instance.texts(5),
      createArgument: instance.bytes(4).at(-1) ?? new Uint8Array(),
    };
  } catch {
    return undefined;
  }
}

/** A Daml record of the given texts, without field names, as in recorded blobs. */
export function encodeTextRecord(texts: readonly string[]): Uint8Array {
  const record = new BinaryWriter();
  for (const text of texts) {
    const value = new BinaryWriter().tag(8, WireType.LengthDelimited).string(text).finish();
    const field = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(value).finish();
    record.tag(1, WireType.LengthDelimited).bytes(field);
  }
  return new BinaryWriter().tag(13, WireType.LengthDelimited).bytes(record.finish()).finish();
}

// Created events as a registry discloses them, with the nested Daml values of real templates. Written with field numbers
// alone (transaction.proto and value.proto of Daml 3), so that no code of `src` reads its own bytes.
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** Writes one Daml value. Values have no names of fields. */
export type DamlValue = (writer: BinaryWriter) => unknown;

const nested =
  (number: number, ...inner: readonly DamlValue[]): DamlValue =>
  (writer) => {
    writer.tag(number, WireType.LengthDelimited).fork();
    for (const write of inner) write(writer);
    writer.join();
  };
const textAt =
  (number: number, value: string): DamlValue =>
  (writer) =>
    writer.tag(number, WireType.LengthDelimited).string(value);
const bytesAt =
  (number: number, value: Uint8Array): DamlValue =>
  (writer) =>
    writer.tag(number, WireType.LengthDelimited).bytes(value);

export const unit: DamlValue = nested(1);
export const bool =
  (value: boolean): DamlValue =>
  (writer) =>
    writer.tag(2, WireType.Varint).bool(value);
export const int64 =
  (value: number): DamlValue =>
  (writer) =>
    writer.tag(3, WireType.Varint).sint64(value);
export const timestamp =
  (micros: bigint): DamlValue =>
  (writer) =>
    writer.tag(5, WireType.Bit64).sfixed64(micros);
export const numeric = (value: string): DamlValue => textAt(6, value);
export const party = (value: string): DamlValue => textAt(7, value);
export const text = (value: string): DamlValue => textAt(8, value);
export const optional = (...value: readonly DamlValue[]): DamlValue =>
  nested(10, ...value.map((inner) => nested(1, inner)));
export const list = (...values: readonly DamlValue[]): DamlValue =>
  nested(11, ...values.map((inner) => nested(1, inner)));
export const mapOf = (...entries: readonly (readonly [key: DamlValue, value: DamlValue])[]): DamlValue =>
  nested(12, ...entries.map(([key, value]) => nested(1, nested(1, key), nested(2, value))));
export const record = (...values: readonly DamlValue[]): DamlValue =>
  nested(13, ...values.map((inner) => nested(1, nested(1, inner))));

export interface WrittenEvent {
  readonly contractId: string;
  /** package:module:entity. */
  readonly templateId: string;
  readonly packageName: string;
  readonly signatory: string;
  readonly createdAtMicros: bigint;
  /** 32 bytes that make the contract id unique. */
  readonly salt: Uint8Array;
  readonly createArgument: DamlValue;
}

/** A blob in base64: version 2.1 of the serialization, and the event. */
export function createdEventBlob(event: WrittenEvent): string {
  const [packageId = "", modules = "", entities = ""] = event.templateId.split(":");
  const names = [
    ...modules.split(".").map((name) => textAt(2, name)),
    ...entities.split(".").map((name) => textAt(3, name)),
  ];
  const versionOfSalt: DamlValue = (writer) => writer.tag(1, WireType.Varint).int32(1);
  const versionOfIds: DamlValue = (writer) => writer.tag(2, WireType.Varint).int32(30);
  const writer = new BinaryWriter();
  textAt(1, "2.1")(writer);
  nested(
    2,
    bytesAt(1, Buffer.from(event.contractId, "hex")),
    textAt(2, event.packageName),
    nested(3, textAt(1, packageId), ...names),
    nested(4, event.createArgument),
    textAt(5, event.signatory),
    (fields) => fields.tag(7, WireType.Bit64).sfixed64(event.createdAtMicros),
    nested(8, nested(1, nested(1, versionOfSalt, bytesAt(2, event.salt))), versionOfIds),
  )(writer);
  return Buffer.from(writer.finish()).toString("base64");
}

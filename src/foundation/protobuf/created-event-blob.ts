import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { field, fromBase64, message, repeated, required, toBase64, toBytes } from "./_message.ts";
import { bytes, converted, sfixed64, string } from "./_wire-types.ts";
import { FieldBudget } from "./field-budget.ts";

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
const authenticationData = new Uint8Array(42);

const templateMessage = converted(
  message({ packageId: field(1, string), modules: repeated(2, string), entities: repeated(3, string) }),
  ({ packageId, modules, entities }) => `${packageId}:${modules.join(".")}:${entities.join(".")}`,
  (templateId) => {
    const [packageId = "", moduleName = "", entityName = ""] = templateId.split(":");
    return { packageId, modules: moduleName.split("."), entities: entityName.split(".") };
  },
);

const eventMessage = message<CreatedEvent & { readonly authenticationData: Uint8Array }>({
  contractId: required(1, converted(bytes, bytesToHex, hexToBytes)),
  packageName: field(2, string),
  templateId: field(3, templateMessage),
  createArgument: field(4, bytes),
  signatories: repeated(5, string),
  createdAtMicros: required(7, sfixed64),
  authenticationData: field(8, bytes),
});

const versionedMessage = message({ version: field(1, string), event: field(2, eventMessage) });

/** Standard base64 with padding of the serialized created event. */
export function encodeCreatedEventBlob(event: CreatedEvent): string {
  return toBase64(versionedMessage, { version: serializationVersion, event: { ...event, authenticationData } });
}

/** Decodes the event in a blob; undefined for an invalid protobuf. */
export function decodeCreatedEventBlob(
  base64: string,
  budget: FieldBudget = new FieldBudget(),
): CreatedEvent | undefined {
  const versioned = fromBase64(versionedMessage, base64, budget);
  if (versioned === undefined) return undefined;
  const { authenticationData: _, ...event } = versioned.event;
  return event;
}

/** A Daml value of a contract, without the names of fields: another form than that of the ledger API. */
const textMessage = message({ text: field(8, string) });
const recordMessage = message({
  record: field(13, message({ fields: repeated(1, message({ value: field(1, textMessage) })) })),
});

/** A Daml record of the given texts, without field names, as in recorded blobs. */
export function encodeTextRecord(texts: readonly string[]): Uint8Array {
  return toBytes(recordMessage, { record: { fields: texts.map((text) => ({ value: { text } })) } });
}

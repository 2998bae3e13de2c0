import { Buffer } from "node:buffer";
import { readableTexts } from "../../foundation/secrets/secret-finder.ts";
import { bytesOfLatin, latinOfBytes } from "../../foundation/text/base64.ts";
import { isFramedKey } from "./generated-keys.ts";
import { renamedContractId } from "./identifiers.ts";
import type { TextPlace } from "./place.ts";
import type { Renaming } from "./renaming.ts";
import { readWire, type WireField, writeWire } from "./wire.ts";

/** How to redact texts within bytes, and whether unreadable bytes are replaced too: in members that contain a protobuf message. */
interface BytesRedaction {
  readonly text: (text: string, place: TextPlace) => string;
  /** Redacts only secrets that were given or learned. */
  readonly knownSecrets: (text: string) => string;
  readonly renaming: Renaming;
  readonly isProtobuf: boolean;
  readonly isPage: boolean;
}

/** Bytes of a body may be megabytes, for which a loop over their digits takes long. */
const bytesToHex = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString("hex");
const hexToBytes = (digits: string): Uint8Array => Buffer.from(digits, "hex");

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
/** Levels of nested messages that are parsed; deeper ones are treated as bytes. */
const depthMax = 400;
/** Shorter bytes are not identifiers. */
const opaqueBytesMin = 16;

const inBytes: TextPlace = { role: "other", hint: "party", hex: "hash" };
const aParticipant: TextPlace = { ...inBytes, hint: "participant" };
const aFingerprint: TextPlace = { ...inBytes, role: "fingerprint" };
/** Texts in prepared and in topology transactions, by field numbers from the top. */
const places: Readonly<Record<string, TextPlace>> = {
  "/2/2/1": inBytes,
  "/2/2/2": { ...inBytes, role: "correlation" },
  "/2/3": { ...inBytes, hint: "synchronizer" },
  ...inTopology({
    "/1/1": aFingerprint,
    "/3/1": aFingerprint,
    "/3/3": aFingerprint,
    "/9/1": inBytes,
    "/9/3/1": aParticipant,
    "/16/1": inBytes,
  }),
};
const keyPaths: ReadonlySet<string> = new Set(Object.keys(inTopology({ "/1/2/3": 0, "/9/6/1/3": 0, "/16/4/3": 0 })));
const partiesOfNode = /^\/(?:1\/3\/1000\/[1-3]|2\/7\/1)\/(?:5|6|7|12|14)$/;
const partiesOfBlob = /^\/2\/[56]$/;
const contractIdOfBlob = "/2/1";

/** Paths in the mapping of a topology transaction, with and without the version envelope. */
function inTopology<Value>(paths: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, value]) => [
      [`/3${path}`, value],
      [`/1/3${path}`, value],
    ]),
  );
}

/** Redacts bytes: a protobuf message field by field, or a text. Returns the same object if nothing changes. */
export function redactBytes(bytes: Uint8Array, redaction: BytesRedaction): Uint8Array {
  return renamed(bytes, {
    ...redaction,
    path: "",
    isBlob: redaction.isProtobuf && isBlob(bytes),
    depth: 0,
    isDamlText: false,
  });
}

interface Traversal extends BytesRedaction {
  readonly path: string;
  readonly isBlob: boolean;
  readonly depth: number;
  /** Whether the bytes are the party or the text of a Daml value. */
  readonly isDamlText: boolean;
}

/** Whether the schema has a text at this path. */
function isKnownText({ path, isProtobuf, isBlob: isInBlob, isDamlText }: Traversal): boolean {
  if (!isProtobuf) return false;
  if (isDamlText) return true;
  return isInBlob ? partiesOfBlob.test(path) : places[path] !== undefined || partiesOfNode.test(path);
}

/** A Daml value is a message with one field; its party has the number 7, its text 8. */
function isOfDamlText(fields: readonly WireField[]): boolean {
  const [only] = fields;
  return fields.length === 1 && (only?.field === 7 || only?.field === 8);
}

/** Whether bytes are a created event blob: it starts with the version of its serialization (Splice 0.7, recorded responses and transaction.proto). */
function isBlob(bytes: Uint8Array): boolean {
  return bytes[0] === 0x0a && bytes[1] === 3 && bytes[5] === 0x12;
}

function renamed(bytes: Uint8Array, traversal: Traversal): Uint8Array {
  if (bytes.length < 2) return bytes;
  const { renaming } = traversal;
  if (renaming.renamesBytes && (isContractId(bytes) || (traversal.isBlob && isContractIdOfBlob(bytes, traversal.path))))
    return hexToBytes(renamedContractId(bytesToHex(bytes), renaming));
  if (traversal.isProtobuf && keyPaths.has(traversal.path)) return renamedOpaque(bytes, renaming, "key");
  if (traversal.isProtobuf && hashLengths.has(bytes.length) && renaming.knownHex(bytesToHex(bytes)) !== undefined)
    return renamedOpaque(bytes, renaming);
  const fields = traversal.depth < depthMax && !looksLikeHash(bytes) ? readWire(bytes) : undefined;
  const text = utf8Text(bytes);
  if (fields !== undefined && (text === undefined || !(isKnownText(traversal) || isText(text, bytes, fields))))
    return renamedMessage(bytes, fields, traversal);
  if (text !== undefined) return renamedText(bytes, text, traversal);
  return traversal.isProtobuf && renaming.renamesBytes
    ? renamedOpaque(bytes, renaming)
    : renamedLatin(bytes, traversal);
}

function renamedMessage(bytes: Uint8Array, fields: readonly WireField[], traversal: Traversal): Uint8Array {
  const values = new Map<WireField, Uint8Array>();
  const isDamlText = isOfDamlText(fields);
  for (const field of fields) {
    if (!field.isBytes) continue;
    const value = bytes.subarray(field.start, field.end);
    // An event within a prepared transaction is a blob of its own.
    const isInner = traversal.isProtobuf && !traversal.isBlob && isBlob(value);
    const path = isInner ? "" : `${traversal.path}/${field.field}`;
    const changed = renamed(value, {
      ...traversal,
      path,
      isBlob: traversal.isBlob || isInner,
      depth: traversal.depth + 1,
      isDamlText,
    });
    if (changed !== value) values.set(field, changed);
  }
  return values.size === 0 ? bytes : writeWire(bytes, fields, values);
}

function renamedText(bytes: Uint8Array, text: string, traversal: Traversal): Uint8Array {
  const changed = traversal.text(text, placeOf(text, traversal));
  return changed === text ? bytes : encoder.encode(changed);
}

function placeOf(text: string, { path, isProtobuf, isBlob: isInBlob, isPage }: Traversal): TextPlace {
  // A page token contains the last id of its page (Canton 3.5, ApiUserManagementService.scala): a user id, unless it has
  // the form of another id.
  if (isPage) return path === "" || text.includes("::") ? inBytes : { ...inBytes, role: "user" };
  return isProtobuf && !isInBlob ? (places[path] ?? inBytes) : inBytes;
}

// With `{12,}` a run of megabytes would overflow the stack. A shorter text looks like a secret by chance.
const readable = /[\t\n\r\x20-\x7e\x80-\xff]{12}[\t\n\r\x20-\x7e\x80-\xff]*/g;
const utf8 = new TextDecoder();

/** Whether the leak gate reads a text in these bytes, which are UTF-8 or of unknown format. */
function isReadable(latin: string): boolean {
  return readableTexts(utf8.decode(bytesOfLatin(latin))).length > 0;
}

/** Redacts readable texts in bytes of unknown format; all other bytes stay. */
function renamedLatin(bytes: Uint8Array, traversal: Traversal): Uint8Array {
  const latin = latinOfBytes(bytes);
  const changed = traversal
    .knownSecrets(latin)
    .replaceAll(readable, (text) => (isReadable(text) ? traversal.text(text, inBytes) : text));
  return changed === latin ? bytes : bytesOfLatin(changed);
}

const hashDigits = 64;

/** Replaces keys, hashes, seeds and salts with as many other bytes. */
export function renamedOpaque(
  bytes: Uint8Array,
  renaming: Renaming,
  kind: "opaque" | "key" | "hash" = "opaque",
): Uint8Array {
  if (!renaming.renamesBytes || bytes.length < opaqueBytesMin) return bytes;
  const digits = bytesToHex(bytes);
  if (kind === "key" || isFramedKey(digits)) return hexToBytes(renaming.key(digits));
  if (bytes.every((byte) => byte === 0)) return bytes;
  if (digits.startsWith("1220") && digits.length === hashDigits + 4)
    return hexToBytes(`1220${renaming.hex(digits.slice(4), kind)}`);
  return hexToBytes(renaming.hex(digits, kind));
}

/** Whether 69 bytes have the fixed bytes of a contract id (Splice 0.7, recorded responses and transaction.proto). */
function isContractId(bytes: Uint8Array): boolean {
  if (bytes.length !== 69 || bytes[0] !== 0 || bytes[33] !== 0xca) return false;
  return ((bytes[34] ?? 0) & 0xfc) === 0x10 && bytes[35] === 0x12 && bytes[36] === 0x20;
}

const contractBytesMin = 33;
const newContractBytesMin = 17;

function isContractIdOfBlob(bytes: Uint8Array, path: string): boolean {
  if (path !== contractIdOfBlob) return false;
  return bytes[0] === 0 ? bytes.length >= contractBytesMin : bytes[0] === 1 && bytes.length >= newContractBytesMin;
}

const hashLengths: ReadonlySet<number> = new Set([32, 33, 48, 64, 65]);

/** Whether bytes of a hash's length parse as a message by chance: their field numbers are out of order. */
function looksLikeHash(bytes: Uint8Array): boolean {
  if (!hashLengths.has(bytes.length) || utf8Text(bytes) !== undefined) return false;
  const fields = readWire(bytes) ?? [];
  return fields.some(({ field }, index) => field < (fields[index - 1]?.field ?? 0));
}

/** UTF-8 without control characters. */
function utf8Text(bytes: Uint8Array): string | undefined {
  for (const byte of bytes) if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

const wholeName =
  /^(?:[A-Za-z0-9_: -]+::[A-Za-z0-9_ -]{1,68}(?:::[\w-]+)?|00[0-9a-f]{64}(?:[0-9a-f]{72})?|1220[0-9a-f]{64})$/;

/** Decides for bytes that are valid as text and as message: a message has ids as complete fields, a text has them anywhere. */
function isText(text: string, bytes: Uint8Array, fields: readonly WireField[]): boolean {
  if (!/::|[0-9a-f]{32}|eyJ|-----BEGIN/.test(text)) return false;
  // An id parses as a message if its second character equals the remaining length; among messages only Daml values have this form.
  if (wholeName.test(text)) return !isOfDamlText(fields);
  return !hasWholeName(bytes, fields, 0);
}

function hasWholeName(bytes: Uint8Array, fields: readonly WireField[], depth: number): boolean {
  return fields.some(({ isBytes, start, end }) => {
    if (!isBytes) return false;
    const value = bytes.subarray(start, end);
    if (wholeName.test(utf8Text(value) ?? "")) return true;
    const inner = depth < depthMax ? readWire(value) : undefined;
    return inner !== undefined && hasWholeName(value, inner, depth + 1);
  });
}

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

// Names in hex digits: a hash of kind and number, and a check by which a redactor knows its own names again, so that
// redaction what is redacted changes nothing.

/** Bytes that begin so are no protobuf message (no wire type 7) and no text. */
const begin = "07";
/** Digits of the shortest name, which has no room for the beginning: a span's. */
const shortestDigits = 16;
const longCheckDigits = 16;
const shortCheckDigits = 8;

/** The nth name of a kind in so many hex digits: an even number, 16 at least. */
export function hexName(kind: string, number: number, digits: number): string {
  const check = checkDigits(digits);
  let stream = digits > shortestDigits ? begin : "";
  for (let block = 0; stream.length < digits; block += 1) stream += hashOf(`${kind} ${number} ${block}`);
  const body = stream.slice(0, digits - check);
  return body + hashOf(`check ${body}`).slice(0, check);
}

/** Whether these hex digits are a name that a redactor gave. */
export function isHexName(digits: string): boolean {
  if (digits.length < shortestDigits || (digits.length > shortestDigits && !digits.startsWith(begin))) return false;
  const body = digits.slice(0, digits.length - checkDigits(digits.length));
  return digits.slice(body.length) === hashOf(`check ${body}`).slice(0, digits.length - body.length);
}

function checkDigits(digits: number): number {
  return digits >= 2 * longCheckDigits ? longCheckDigits : shortCheckDigits;
}

function hashOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

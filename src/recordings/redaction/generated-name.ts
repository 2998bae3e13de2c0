import { hash } from "node:crypto";

// Pseudonyms in hex digits: a hash of kind and number, and check digits by which a redactor recognizes its own names, so that
// redacting twice changes nothing.

/** A first byte that neither a protobuf message (wire type 7 does not exist) nor a text has. */
const begin = "07";
/** Length of the shortest name, a span id. It has no room for the first byte. */
const shortestDigits = 16;
/** A longer name repeats its first digits. */
const streamDigitsMax = 2048;
const longCheckDigits = 16;
const shortCheckDigits = 8;

/** The nth pseudonym of a kind, with this even number of hex digits (at least 16). */
export function hexName(kind: string, number: number, digits: number): string {
  const check = checkDigits(digits);
  const length = Math.min(digits, streamDigitsMax);
  let stream = digits > shortestDigits ? begin : "";
  for (let block = 0; stream.length < length; block += 1) stream += sha256(`${kind} ${number} ${block}`);
  if (digits > length) stream = stream.repeat(Math.ceil(digits / stream.length));
  const body = stream.slice(0, digits - check);
  return body + sha256(`check ${body}`).slice(0, check);
}

/** Whether a redactor generated these hex digits. */
export function isHexName(digits: string): boolean {
  if (digits.length < shortestDigits || (digits.length > shortestDigits && !digits.startsWith(begin))) return false;
  const body = digits.slice(0, digits.length - checkDigits(digits.length));
  return digits.slice(body.length) === sha256(`check ${body}`).slice(0, digits.length - body.length);
}

function checkDigits(digits: number): number {
  return digits >= 2 * longCheckDigits ? longCheckDigits : shortCheckDigits;
}

function sha256(text: string): string {
  return hash("sha256", text);
}

import { bytesOfAnyBase64 } from "../../foundation/text/base64.ts";

// A page token is the URL-safe base64 of a protobuf message whose field 1 is the last id of the page (Canton 3.5, ApiUserManagementService.scala).
const fieldOne = 0x0a;
const idLengthMax = 127;

const encoder = new TextEncoder();

/** The token after a page that ends with this id. Ids have at most 128 characters, so the length takes one or two bytes. */
export function pageTokenAfter(lastId: string): string {
  if (/^[\x20-\x7e]{1,127}$/.test(lastId)) return urlSafe(btoa(`\n${String.fromCharCode(lastId.length)}${lastId}`));
  const id = encoder.encode(lastId);
  const length = id.length > idLengthMax ? [(id.length & 0x7f) | 0x80, id.length >> 7] : [id.length];
  return urlSafe(btoa(String.fromCharCode(...new Uint8Array([fieldOne, ...length, ...id]))));
}

/** The last id of the previous page; undefined for an invalid token. */
export function lastIdOf(token: string): string | undefined {
  const bytes = /^[A-Za-z0-9_-]+={0,2}$/.test(token) ? bytesOfAnyBase64(token) : undefined;
  if (bytes === undefined || bytes[0] !== fieldOne) return undefined;
  const first = bytes[1] ?? 0;
  const isLong = first > idLengthMax;
  const length = isLong ? (first & 0x7f) | ((bytes[2] ?? 0) << 7) : first;
  const id = bytes.subarray(isLong ? 3 : 2);
  if (id.length !== length || length === 0) return undefined;
  const text = new TextDecoder().decode(id);
  return pageTokenAfter(text) === token ? text : undefined;
}

function urlSafe(base64: string): string {
  return /[+/]/.test(base64) ? base64.replaceAll("+", "-").replaceAll("/", "_") : base64;
}

/** The bytes of standard base64; undefined for invalid base64. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  try {
    return bytesOfLatin(atob(text));
  } catch {
    return undefined;
  }
}

/**
 * Whether a text is standard base64 without white space; padding is optional. For 5,000 characters it takes a thirtieth of the
 * time of a pattern.
 */
export function isBase64(text: string): boolean {
  if (text.length % 4 === 1) return false;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  try {
    // White space is ignored: a text with some has fewer bytes.
    return atob(text).length === Math.floor(((text.length - padding) * 3) / 4);
  } catch {
    return false;
  }
}

/** The bytes of base64 with the standard or the URL-safe alphabet; undefined for invalid base64. */
export function bytesOfAnyBase64(text: string): Uint8Array | undefined {
  return bytesOfBase64(standardBase64(text));
}

/** The bytes of base64 with the standard or the URL-safe alphabet, one character each; undefined for invalid base64. */
export function latinOfAnyBase64(text: string): string | undefined {
  try {
    return atob(standardBase64(text));
  } catch {
    return undefined;
  }
}

function standardBase64(text: string): string {
  return /[-_]/.test(text) ? text.replaceAll("-", "+").replaceAll("_", "/") : text;
}

/** The bytes as a text, one character each. */
export function latinOfBytes(bytes: Uint8Array): string {
  let latin = "";
  for (let from = 0; from < bytes.length; from += charactersMax)
    latin += String.fromCharCode(...bytes.subarray(from, from + charactersMax));
  return latin;
}

/** A call has a limited number of arguments. */
const charactersMax = 8192;

/** Longer texts are copied by Node, which is faster. */
const shortLatinMax = 200;

/** The bytes of a text whose characters are bytes. */
export function bytesOfLatin(latin: string): Uint8Array {
  const bytes = new Uint8Array(latin.length);
  if (latin.length > shortLatinMax && typeof Buffer !== "undefined") {
    Buffer.from(bytes.buffer).write(latin, "latin1");
    return bytes;
  }
  // Uint8Array.from would be about forty times slower.
  for (let index = 0; index < latin.length; index += 1) bytes[index] = latin.charCodeAt(index);
  return bytes;
}

const alphabet = new TextEncoder().encode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
const padding = 61;
const ascii = new TextDecoder();

/** Standard base64 with padding. */
export function base64OfBytes(bytes: Uint8Array): string {
  if (typeof Buffer !== "undefined")
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  // In a page. `btoa` takes a text with a character for each byte, which takes longer to build than the base64.
  const base64 = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
    const group = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    base64[to] = alphabet[group >> 18] ?? 0;
    base64[to + 1] = alphabet[(group >> 12) & 63] ?? 0;
    base64[to + 2] = from + 1 < bytes.length ? (alphabet[(group >> 6) & 63] ?? 0) : padding;
    base64[to + 3] = from + 2 < bytes.length ? (alphabet[group & 63] ?? 0) : padding;
  }
  return ascii.decode(base64);
}

/** Base64 with the alphabet for URLs, without padding (RFC 4648, section 5). */
export function urlBase64OfBytes(bytes: Uint8Array): string {
  return base64OfBytes(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const decoder = new TextDecoder("utf-8", { fatal: true });

const encoder = new TextEncoder();

/** The length of a text in bytes of UTF-8. */
export function utf8Length(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : encoder.encode(text).length;
}

/** Whether bytes are valid UTF-8. Compressed or corrupt data almost never is. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });

const encoder = new TextEncoder();

/** The bytes that a text takes; most texts have one for each character. */
export function utf8Length(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : encoder.encode(text).length;
}

/** Whether bytes are text: what is compressed, or was broken, is almost never UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Whether bytes are text: what is compressed, or was broken, is almost never UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

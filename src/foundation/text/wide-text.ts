/**
 * The text of bytes in another encoding than UTF-8: by a byte order mark, by the zero bytes of UTF-16 and UTF-32, or by the
 * charset that is named. Undefined for other bytes.
 */
export function wideText(bytes: Uint8Array, charset = ""): string | undefined {
  const encoding = wideEncoding(bytes) ?? charset.toLowerCase();
  if (encoding === "" || /^(?:utf-?8|us-ascii)$/.test(encoding)) return undefined;
  if (encoding.startsWith("utf-32")) return textOfUtf32(bytes, encoding !== "utf-32be");
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The name of UTF-16 or UTF-32 with its byte order, by the first bytes of a text; undefined for others. */
export function wideEncoding(beginning: Uint8Array): string | undefined {
  return encodingByMark(beginning) ?? encodingByZeros(beginning);
}

/** The longer marks first: that of UTF-32 begins with that of UTF-16. */
const marks = [
  ["utf-32le", [0xff, 0xfe, 0, 0]],
  ["utf-32be", [0, 0, 0xfe, 0xff]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
] as const;

function encodingByMark(bytes: Uint8Array): string | undefined {
  return marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
}

/** For each encoding the positions among four bytes that are zero in characters of ASCII. */
const zeros = [
  ["utf-32le", [1, 2, 3]],
  ["utf-32be", [0, 1, 2]],
  ["utf-16le", [1, 3]],
  ["utf-16be", [0, 2]],
] as const;

const sampleMax = 256;
const sampleMin = 8;

/** By the beginning: half of its characters are ASCII, and no other byte is zero. */
function encodingByZeros(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, Math.min(sampleMax, bytes.length - (bytes.length % 4)));
  if (sample.length < sampleMin) return undefined;
  const counts = [0, 0, 0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) counts[index % 4] = (counts[index % 4] ?? 0) + 1;
  return zeros.find(([, positions]) =>
    counts.every((count, at) => (positions.some((each) => each === at) ? count >= sample.length / 8 : count === 0)),
  )?.[0];
}

function textOfUtf32(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length - (bytes.length % 4));
  const characters: string[] = [];
  for (let at = 0; at < view.byteLength; at += 4) {
    const code = view.getUint32(at, isLittle);
    if (code !== 0xfeff || at > 0) characters.push(code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd");
  }
  return characters.join("");
}

import { pipeline, Readable, type Transform } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { wideEncoding } from "../../../foundation/text/wide-text.ts";
import type { RecordingLimits } from "../../../recordings/har/recording-limits.ts";
import { UserError } from "../user-error.ts";

/** A decompressing stream that counts the compressed bytes that it has read. */
type Decompression = Transform & { readonly bytesWritten: number };

/** Compression formats with the first bytes of their files. */
const compressions: readonly {
  readonly name: string;
  readonly magic: readonly number[];
  readonly create: () => Decompression;
}[] = [
  { name: "gzip", magic: [0x1f, 0x8b], create: createGunzip },
  { name: "zstd", magic: [0x28, 0xb5, 0x2f, 0xfd], create: createZstdDecompress },
];

/** The compression of a file with these first bytes; undefined for a plain file. */
export function compressionOf(beginning: Uint8Array): { readonly name: string; create(): Decompression } | undefined {
  return compressions.find(({ magic }) => magic.every((byte, place) => beginning[place] === byte));
}

/**
 * The chunks of a file in UTF-8, decompressed if it begins like a compressed one. Throws a UserError for invalid data, and as soon
 * as the output exceeds the compression ratio of the limits.
 */
export async function* decodedChunks(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  limits: RecordingLimits,
): AsyncGenerator<Uint8Array> {
  const source = decompressed(chunks, file, limits);
  const first = await source.next();
  if (first.done === true) return;
  const encoding = wideEncoding(first.value);
  const whole = withFirst(first.value, source);
  if (encoding?.startsWith("utf-16") !== true) return yield* whole;
  const decoder = new TextDecoder(encoding);
  for await (const chunk of whole) yield Buffer.from(decoder.decode(chunk, { stream: true }));
}

async function* decompressed(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  limits: RecordingLimits,
): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done === true) return;
  if (isZip(first.value)) {
    await source.return?.();
    throw new UserError(
      `${file} is a ZIP archive. Unpack it into a folder, and give the .har file in it: the files beside it are read too.`,
    );
  }
  const compression = compressionOf(first.value);
  const whole = withFirst(first.value, source);
  if (compression === undefined) yield* whole;
  else yield* decompress(whole, { file, limits, name: compression.name, decompression: compression.create() });
}

/** Playwright packs a recording and its bodies for a name that ends with .zip. */
function isZip([first, second, third, fourth]: Uint8Array): boolean {
  return first === 0x50 && second === 0x4b && third === 3 && fourth === 4;
}

async function* withFirst(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

interface DecompressOptions {
  readonly file: string;
  readonly limits: RecordingLimits;
  readonly name: string;
  readonly decompression: Decompression;
}

async function* decompress(
  compressed: AsyncIterable<Uint8Array>,
  { file, limits, name, decompression }: DecompressOptions,
): AsyncGenerator<Uint8Array> {
  const { entryBytesMax, compressionRatioMax } = limits;
  let outputBytes = 0;
  // Errors surface in the stream that is read below. Its end destroys both streams.
  pipeline(Readable.from(copies(compressed)), decompression, () => undefined);
  try {
    for await (const chunk of decompression) {
      outputBytes += chunk.length;
      // A file that decompresses to the size of one entry may have any ratio.
      if (outputBytes > Math.max(entryBytesMax, decompression.bytesWritten * compressionRatioMax))
        throw new UserError(
          `${file}: its content exceeds the compression ratio of ${compressionRatioMax} to 1 (compressionRatioMax). Decompress it first.`,
        );
      yield chunk;
    }
  } catch (error) {
    if (error instanceof UserError || !(error instanceof Error && "code" in error)) throw error;
    throw new UserError(
      `${file} cannot be decompressed as ${name}: ${error.message}. Compress it again, or pass it uncompressed.`,
    );
  }
}

/** Copies of the chunks, because the decompression reads ahead. */
async function* copies(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield chunk.slice();
}

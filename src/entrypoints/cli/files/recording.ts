import { type FileHandle, open } from "node:fs/promises";
import { pipeline, Readable, type Transform } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import type { Exchange } from "../../../foundation/http/exchange.ts";
import type { RecordingProblem } from "../../../recordings/har/entry-cutter.ts";
import { type Recorded, readRecording } from "../../../recordings/har/read-recording.ts";
import type { Environment } from "../options.ts";
import { UserError } from "../user-error.ts";
import { type NamedFile, namedFile, standardInput } from "./named-file.ts";
import { unreadable } from "./unreadable.ts";

const chunkBytes = 1024 * 1024;

/** The working folder and standard input. */
type InputSource = Pick<Environment, "folder" | "input">;

/**
 * The exchanges of a recording, and its problem if it ends in one. The file is plain or compressed with gzip or zstd; `-` is
 * standard input. Throws a UserError if the file is not readable.
 */
export function openRecording(
  file: string,
  source: InputSource,
  isWanted?: (index: number) => boolean,
): AsyncGenerator<Recorded | RecordingProblem> {
  return readRecording(
    decompressed(file === standardInput ? source.input : chunksOf(namedFile(file, source)), file),
    isWanted,
  );
}

/** The exchanges of a recording. Throws a UserError for a problem in it. */
export async function* exchangesOf(file: string, source: InputSource): AsyncGenerator<Exchange> {
  for await (const item of openRecording(file, source)) {
    if (item.type === "invalid") throw new UserError(recordingProblemText(file, item));
    yield item.exchange;
  }
}

/** The message for a problem: what is wrong, where, and what to do. */
export function recordingProblemText(file: string, { problem, entries, line, byte }: RecordingProblem): string {
  if (entries === 0) {
    const name = file === standardInput ? "Standard input" : file;
    const advice = /\.ya?ml$/i.test(file) ? " Run a scenario with understudy run." : "";
    return `${name} is not a recording: ${problem}. A recording is HAR 1.2 from understudy record, a browser or a proxy.${advice}`;
  }
  const place = `after ${entries} ${entries === 1 ? "entry" : "entries"}, at line ${line}, byte ${byte}`;
  return `${file}: ${problem} ${place}. Record it again, or remove the rest of the file from there.`;
}

/** Compression formats with the first bytes of their files. */
const compressions: readonly {
  readonly name: string;
  readonly magic: readonly number[];
  readonly create: () => Transform;
}[] = [
  { name: "gzip", magic: [0x1f, 0x8b], create: createGunzip },
  { name: "zstd", magic: [0x28, 0xb5, 0x2f, 0xfd], create: createZstdDecompress },
];

/** The compression of a file with these first bytes; undefined for a plain file. */
export function compressionOf(beginning: Uint8Array): { readonly name: string; create(): Transform } | undefined {
  return compressions.find(({ magic }) => magic.every((byte, place) => beginning[place] === byte));
}

async function* decompressed(compressed: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  const chunks = compressed[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  const compression = compressionOf(first.value);
  const whole = withFirst(first.value, chunks);
  if (compression === undefined) yield* whole;
  else yield* decompress(compression.create(), compression.name, whole, file);
}

async function* withFirst(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* decompress(
  decompression: Transform,
  name: string,
  compressed: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<Uint8Array> {
  // Errors surface in the stream that is read below.
  pipeline(Readable.from(copies(compressed)), decompression, () => undefined);
  try {
    for await (const chunk of decompression) yield chunk;
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

/** The chunks of a file; all share one buffer. */
async function* chunksOf(file: NamedFile): AsyncGenerator<Uint8Array> {
  await using handle = await opened(file);
  const chunk = new Uint8Array(chunkBytes);
  for (;;) {
    const bytesRead = await readInto(handle, chunk, file);
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
  }
}

async function opened(file: NamedFile): Promise<FileHandle> {
  try {
    return await open(file.path);
  } catch (error) {
    throw error instanceof Error && "code" in error ? unreadable(file) : error;
  }
}

async function readInto(handle: FileHandle, chunk: Uint8Array, file: NamedFile): Promise<number> {
  try {
    return (await handle.read(chunk)).bytesRead;
  } catch (error) {
    throw error instanceof Error && "code" in error ? unreadable(file) : error;
  }
}

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

/**
 * The exchanges of a recording, packed by gzip or zstd or not, `-` for standard input, and a problem where it ends in one.
 * Throws a UserError where there is no such file.
 */
/** Where recordings come from. */
type Outside = Pick<Environment, "folder" | "input">;

export function openRecording(
  file: string,
  outside: Outside,
  isWanted?: (index: number) => boolean,
): AsyncGenerator<Recorded | RecordingProblem> {
  return readRecording(
    unpacked(file === standardInput ? outside.input : chunksOf(namedFile(file, outside)), file),
    isWanted,
  );
}

/** The exchanges of a recording that has no problem. Throws a UserError where it has one. */
export async function* exchangesOf(file: string, outside: Outside): AsyncGenerator<Exchange> {
  for await (const item of openRecording(file, outside)) {
    if (item.type === "invalid") throw new UserError(explained(file, item));
    yield item.exchange;
  }
}

/** A problem for people: what is wrong, where and what to do. */
export function explained(file: string, { problem, entries, line, byte }: RecordingProblem): string {
  if (entries === 0) return `${file} is no recording: ${problem}. Export HAR 1.2 from a browser or proxy.`;
  const place = `after ${entries} ${entries === 1 ? "entry" : "entries"}, at line ${line}, byte ${byte}`;
  return `${file}: ${problem} ${place}. Record it again, or take out what comes from there on.`;
}

/** By the bytes that such a file begins with. */
const packings: readonly {
  readonly name: string;
  readonly magic: readonly number[];
  readonly create: () => Transform;
}[] = [
  { name: "gzip", magic: [0x1f, 0x8b], create: createGunzip },
  { name: "zstd", magic: [0x28, 0xb5, 0x2f, 0xfd], create: createZstdDecompress },
];

/** How a file that begins so is packed. */
export function packingOf(beginning: Uint8Array): { readonly name: string; create(): Transform } | undefined {
  return packings.find(({ magic }) => magic.every((byte, place) => beginning[place] === byte));
}

async function* unpacked(packed: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  const chunks = packed[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  const packing = packingOf(first.value);
  const whole = withFirst(first.value, chunks);
  if (packing === undefined) yield* whole;
  else yield* unpack(packing.create(), packing.name, whole, file);
}

async function* withFirst(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* unpack(
  unpacking: Transform,
  name: string,
  packed: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<Uint8Array> {
  // What fails comes out of the stream that is read.
  pipeline(Readable.from(copies(packed)), unpacking, () => undefined);
  try {
    for await (const chunk of unpacking) yield chunk;
  } catch (error) {
    if (error instanceof UserError || !(error instanceof Error && "code" in error)) throw error;
    throw new UserError(
      `${file} cannot be unpacked as ${name}: ${error.message}. Pack it again, or unpack it yourself.`,
    );
  }
}

/** What is unpacked is read ahead. */
async function* copies(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield chunk.slice();
}

/** The chunks share their memory. */
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

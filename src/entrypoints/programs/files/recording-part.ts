import { wideEncoding } from "../../../foundation/text/wide-text.ts";
import { type RecordingItem, readRecording } from "../../../recordings/har/read-recording.ts";
import { closing, entryBegin, openingIn } from "../../../recordings/har/recording-frame.ts";
import { compressionOf } from "./decompressed.ts";
import { fileChunks, type OpenFile } from "./file-chunks.ts";
import { namedFile, standardInput } from "./named-file.ts";
import { type InputSource, opened } from "./recording.ts";
import { orUnreadable, statsAt } from "./unreadable.ts";

/** What is known of a recording before its entries are read. */
interface RecordingLayout {
  /** Bytes of a plain file; undefined for a stream, such as standard input or a compressed file. */
  readonly size: number | undefined;
  /** The first line of a recording by Understudy, which has one entry on each line after it. Parts of others cannot be found. */
  readonly opening: Buffer | undefined;
}

/** A part of a file, in bytes: the entries that begin from `begin` to `end`, and those to read before them from `from` on. */
export interface FilePart {
  readonly from: number;
  readonly begin: number;
  /** Infinity for the last part. All parts need the same size of the recording: in one that grows, they would not meet. */
  readonly end: number;
}

const stream: RecordingLayout = { size: undefined, opening: undefined };

/** Bytes at the beginning of a file that show its compression and the opening. */
const beginningBytes = 1000;

/** Reads the beginning of a recording. Throws a UserError if the file is not readable. */
export async function layoutOf(file: string, source: InputSource): Promise<RecordingLayout> {
  const named = namedFile(file, source);
  // A named pipe can be read only once.
  if (file === standardInput || statsAt(named.path)?.isFile() === false) return stream;
  await using handle = await opened(named);
  const reading = handle.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0);
  const { buffer, bytesRead } = await orUnreadable(named, reading);
  const beginning = buffer.subarray(0, bytesRead);
  if (compressionOf(beginning) !== undefined || wideEncoding(beginning) !== undefined) return stream;
  const opening = openingIn(beginning.toString("latin1"));
  const { size } = await orUnreadable(named, handle.stat());
  return { size, opening: opening === undefined ? undefined : beginning.subarray(0, opening.length) };
}

/** The items of a part of a recording by Understudy, without reading the rest of the file. `isWanted` gets bytes of the file. */
export async function* readPart(
  file: string,
  source: InputSource,
  { opening, part }: { readonly opening: Buffer; readonly part: FilePart },
  isWanted: (byte: number) => boolean,
): AsyncGenerator<RecordingItem> {
  const named = namedFile(file, source);
  await using handle = await opened(named);
  const open = { ...named, handle };
  const found = await entryFrom(open, Math.max(part.from, opening.length));
  // The shard reads from the beginning if no entry begins before its part: entries that another program wrote may begin with
  // other bytes, and one entry may be larger than all that the shard reads before its part.
  const begin = found <= part.begin ? found : opening.length;
  const chunks = recordingOf(open, opening, { begin, end: await entryFrom(open, part.end) });
  for await (const item of readRecording(chunks, { isWanted, omittedBytes: begin - opening.length }))
    yield item.type === "exchange"
      ? item
      : afterLines(item, await lineEnds(open, { begin: opening.length, end: begin }));
}

type Bytes = Pick<FilePart, "begin" | "end">;

/** A recording that has the entries of a part. */
async function* recordingOf(file: OpenFile, opening: Buffer, { begin, end }: Bytes): AsyncGenerator<Uint8Array> {
  yield opening;
  yield* fileChunks(file, begin, end);
  if (end !== Number.POSITIVE_INFINITY) yield Buffer.from(closing);
}

/** The first byte of the first entry that begins at a byte or after it; Infinity without one. */
async function entryFrom(file: OpenFile, from: number): Promise<number> {
  if (from === Number.POSITIVE_INFINITY) return from;
  // The line end before an entry that begins exactly there.
  let [at, rest] = [from - 1, Buffer.alloc(0)];
  for await (const chunk of fileChunks(file, at)) {
    const bytes = Buffer.concat([rest, chunk]);
    const found = bytes.indexOf(entryBegin);
    if (found >= 0) return at + found + 1;
    rest = bytes.subarray(1 - entryBegin.length);
    at += bytes.length - rest.length;
  }
  return Number.POSITIVE_INFINITY;
}

/** The item with its place in the whole file, in which each omitted line has one entry. */
function afterLines(item: Exclude<RecordingItem, { readonly type: "exchange" }>, lines: number): RecordingItem {
  const line = item.line + lines;
  return item.type === "skipped"
    ? { ...item, line, index: item.index + lines }
    : { ...item, line, entries: item.entries + lines };
}

async function lineEnds(file: OpenFile, { begin, end }: Bytes): Promise<number> {
  let count = 0;
  for await (const chunk of fileChunks(file, begin, end))
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) count += 1;
  return count;
}

const lineFeed = 10;

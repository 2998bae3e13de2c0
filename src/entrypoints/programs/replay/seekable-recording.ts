import type { BigIntStats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { wideEncoding } from "../../../foundation/text/wide-text.ts";
import type { EntryPlace } from "../../../recordings/har/read-recording.ts";
import { recordingLimits } from "../../../recordings/har/recording-limits.ts";
import { compressionOf, decodedChunks } from "../files/decompressed.ts";
import { fileChunks, type OpenFile } from "../files/file-chunks.ts";
import { type NamedFile, standardInput } from "../files/named-file.ts";
import { unreadable } from "../files/unreadable.ts";
import { UserError } from "../user-error.ts";

/** The bytes at the beginning of a file that show its compression and its encoding. */
const beginningBytes = 256;
/** The size of a file in UTF-16, which is kept in memory. */
const wideBytesMax = 256n * 1024n * 1024n;

/** An open recording with random access. The file must not change while it is open. */
interface SeekableRecording {
  /** Reads the bytes of an entry. Rejects with a UserError if the file is missing or has changed. */
  read(place: EntryPlace): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Opens a recording. Throws a UserError if the file does not allow random access. */
export async function openSeekable(file: NamedFile): Promise<SeekableRecording> {
  if (file.name === standardInput)
    throw new UserError("replay reads the recording several times. Give a file, not standard input.");
  const handle = await opened(file);
  const initial = await handle.stat({ bigint: true });
  if (!initial.isFile()) {
    await handle.close();
    throw new UserError(`${file.name} is not a regular file. Copy the recording to a file.`);
  }
  const { buffer, bytesRead } = await handle.read(new Uint8Array(beginningBytes), 0, beginningBytes, 0);
  const beginning = buffer.subarray(0, bytesRead);
  const compression = compressionOf(beginning);
  if (compression !== undefined) {
    await handle.close();
    throw new UserError(`${file.name} is compressed with ${compression.name}. Decompress it first.`);
  }
  const bytes = wideEncoding(beginning) === undefined ? undefined : await utf8Of({ ...file, handle }, initial.size);
  if (bytes !== undefined)
    return {
      close: () => handle.close(),
      read: async ({ byte, length }) => {
        await checkUnchanged(file, initial);
        return bytes.subarray(byte, byte + length);
      },
    };
  return {
    close: () => handle.close(),
    read: async ({ byte, length }) => {
      await checkUnchanged(file, initial);
      const bytes = new Uint8Array(length);
      const { bytesRead } = await handle.read(bytes, 0, length, byte);
      if (bytesRead < length) throw changedError(file.name);
      return bytes;
    },
  };
}

/** The content of a file in UTF-16 as UTF-8. Throws a UserError if it is too large for the memory. */
async function utf8Of(file: OpenFile, size: bigint): Promise<Buffer> {
  if (size > wideBytesMax)
    throw new UserError(`${file.name} is UTF-16 and larger than ${wideBytesMax} bytes. Convert it to UTF-8 first.`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of decodedChunks(fileChunks(file, 0), file.name, recordingLimits)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function opened(file: NamedFile): Promise<FileHandle> {
  try {
    return await open(file.path);
  } catch {
    throw unreadable(file);
  }
}

async function checkUnchanged(file: NamedFile, initial: BigIntStats): Promise<void> {
  const now = await statOf(file);
  if (now.size !== initial.size || now.mtimeNs !== initial.mtimeNs || now.ino !== initial.ino)
    throw changedError(file.name);
}

async function statOf(file: NamedFile): Promise<BigIntStats> {
  try {
    return await stat(file.path, { bigint: true });
  } catch {
    throw new UserError(`${file.name} is missing; replay needs it until it ends. Restore it and start again.`);
  }
}

/** The error for a file that changed during the replay. */
export function changedError(file: string): UserError {
  return new UserError(
    `${file} has changed since replay read it. Start again, and do not write to the file during the replay.`,
  );
}

import type { BigIntStats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { EntryPlace } from "../../../recordings/har/read-recording.ts";
import { compressionOf } from "../../programs/files/decompressed.ts";
import { type NamedFile, standardInput } from "../../programs/files/named-file.ts";
import { unreadable } from "../../programs/files/unreadable.ts";
import { UserError } from "../../programs/user-error.ts";

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
  const compression = compressionOf((await handle.read(new Uint8Array(4), 0, 4, 0)).buffer);
  if (compression !== undefined) {
    await handle.close();
    throw new UserError(`${file.name} is compressed with ${compression.name}. Decompress it first.`);
  }
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

import type { BigIntStats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { EntryPlace } from "../../../recordings/har/read-recording.ts";
import { type NamedFile, standardInput } from "../files/named-file.ts";
import { packingOf } from "../files/recording.ts";
import { unreadable } from "../files/unreadable.ts";
import { UserError } from "../user-error.ts";

/** A recording that is read again in places; it must stay as it is meanwhile. */
export interface SeekableRecording {
  /** The bytes at a place. Rejects with a UserError where the file is gone or has changed. */
  read(place: EntryPlace): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Opens a recording as it is now. Throws a UserError where it cannot be read in places. */
export async function openSeekable(file: NamedFile): Promise<SeekableRecording> {
  if (file.name === standardInput)
    throw new UserError("replay reads a recording again and again: give a file, not standard input.");
  const handle = await opened(file);
  const atFirst = await handle.stat({ bigint: true });
  if (!atFirst.isFile()) {
    await handle.close();
    throw new UserError(`${file.name} is no file that can be read in places. Copy the recording to one.`);
  }
  const packing = packingOf((await handle.read(new Uint8Array(4), 0, 4, 0)).buffer);
  if (packing !== undefined) {
    await handle.close();
    throw new UserError(`${file.name} is packed by ${packing.name}. Unpack it first: replay reads it in places.`);
  }
  return {
    close: () => handle.close(),
    read: async ({ byte, length }) => {
      await checkUnchanged(file, atFirst);
      const bytes = new Uint8Array(length);
      const { bytesRead } = await handle.read(bytes, 0, length, byte);
      if (bytesRead < length) throw changed(file.name);
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

async function checkUnchanged(file: NamedFile, atFirst: BigIntStats): Promise<void> {
  const now = await statOf(file);
  if (now.size !== atFirst.size || now.mtimeNs !== atFirst.mtimeNs || now.ino !== atFirst.ino) throw changed(file.name);
}

async function statOf(file: NamedFile): Promise<BigIntStats> {
  try {
    return await stat(file.path, { bigint: true });
  } catch {
    throw new UserError(`${file.name} is gone, and replay needs it to the end. Put it back and start again.`);
  }
}

/** What stood at a place of the file is no longer there. */
export function changed(file: string): UserError {
  return new UserError(
    `${file} has changed since replay read it. Start again, and let nobody write to it meanwhile: a recorder writes to a file of its own.`,
  );
}

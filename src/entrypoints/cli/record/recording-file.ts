import { type FileHandle, open } from "node:fs/promises";
import { appended, closing, openingOf } from "../../../recordings/har/recording-frame.ts";
import type { NamedFile } from "../../programs/files/named-file.ts";
import { codeOf, reasonOf } from "../../programs/files/system-error.ts";
import { unreadable } from "../../programs/files/unreadable.ts";
import { alreadyThere } from "../../programs/files/whole-file.ts";
import { checkWritable, isExisting, writeWhole } from "../../programs/files/write-whole.ts";
import { UserError } from "../../programs/user-error.ts";
import { lockRecording } from "./recording-lock.ts";

/** Limit for the bytes of entries that wait for the disk. */
export const waitingBytesMax: number = 64 * 1024 * 1024;

/** The operations of an open file that a recording uses. */
export interface Disk {
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
  truncate(length: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** `dropped`: too many bytes wait for the disk. `failed`: writing to the disk failed. */
export type AppendOutcome = "written" | "dropped" | "failed";

interface QueuedEntry {
  readonly line: string;
  readonly bytes: number;
  readonly done: (outcome: AppendOutcome) => void;
}

/**
 * A recording that grows: HAR 1.2 after every append. An append is one positioned write over the closing brackets, so a
 * crash damages only the end of the file. Entries that arrive during a write go into the next write together. If more than
 * `waitingBytesMax` wait, an entry is dropped: a blocked disk must not delay the traffic. The first error of the disk ends the
 * recording: the closing brackets are restored, and `problem` says what the file has.
 */
export class RecordingFile {
  /** Resolves when writing to the disk fails. */
  readonly failure: Promise<void>;
  readonly #file: NamedFile;
  readonly #disk: Disk;
  readonly #release: () => void;
  readonly #fail: () => void;
  #waiting: QueuedEntry[] = [];
  #waitingBytes = 0;
  /** Byte offset of the closing brackets. */
  #end: number;
  #entries = 0;
  #writing: Promise<void> | undefined;
  #problem: UserError | undefined;

  constructor(file: NamedFile, disk: Disk, end: number, release: () => void = () => undefined) {
    this.#file = file;
    this.#disk = disk;
    this.#end = end;
    this.#release = release;
    const failure = Promise.withResolvers<void>();
    this.failure = failure.promise;
    this.#fail = failure.resolve;
  }

  /** Number of entries in the file. */
  get entries(): number {
    return this.#entries;
  }

  /** The reason why the recording stopped, and what the file has. */
  get problem(): UserError | undefined {
    return this.#problem;
  }

  /** Adds an entry of one line. Resolves when it is written. */
  append(line: string): Promise<AppendOutcome> {
    const bytes = Buffer.byteLength(line);
    if (this.#problem !== undefined) return Promise.resolve("failed");
    if (this.#waitingBytes + bytes > waitingBytesMax) return Promise.resolve("dropped");
    return new Promise((done) => {
      this.#waiting.push({ line, bytes, done });
      this.#waitingBytes += bytes;
      this.#writing ??= this.#writeAll();
    });
  }

  /** Waits for pending writes; the recording is then complete. */
  async close(): Promise<void> {
    await this.#writing;
    try {
      if (this.#problem === undefined) await this.#disk.sync();
    } catch (error) {
      this.#stop(error);
    }
    await this.#disk.close();
    this.#release();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      const outcome = this.#problem !== undefined ? "failed" : await this.#write(batch);
      for (const { bytes, done } of batch) {
        this.#waitingBytes -= bytes;
        done(outcome);
      }
    }
    this.#writing = undefined;
  }

  async #write(batch: readonly QueuedEntry[]): Promise<AppendOutcome> {
    const text = appended(
      batch.map(({ line }) => line),
      this.#entries === 0,
    );
    try {
      const bytes = Buffer.from(text);
      await this.#writeAt(bytes, this.#end);
      this.#end += bytes.length - closing.length;
      this.#entries += batch.length;
      return "written";
    } catch (error) {
      await this.#restoreClosing();
      this.#stop(error);
      return "failed";
    }
  }

  async #writeAt(bytes: Uint8Array, position: number): Promise<void> {
    let written = 0;
    while (written < bytes.length) {
      const { bytesWritten } = await this.#disk.write(bytes, written, bytes.length - written, position + written);
      written += bytesWritten;
    }
  }

  /** The closing brackets overwrite bytes that the file already had, so this works on a full disk. */
  async #restoreClosing(): Promise<void> {
    try {
      await this.#writeAt(Buffer.from(closing), this.#end);
      await this.#disk.truncate(this.#end + closing.length);
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }

  #stop(error: unknown): void {
    if (!(error instanceof Error && "code" in error)) throw error;
    const kept = `${this.#entries} ${this.#entries === 1 ? "exchange" : "exchanges"}`;
    this.#problem = new UserError(
      `${this.#file.name}: writing failed (${reasonOf(error)}). The file keeps ${kept}; the recording has ended.`,
    );
    this.#fail();
  }
}

/** Creates a recording without entries. Throws a UserError if the file cannot be written. */
export async function createRecordingFile(
  file: NamedFile,
  { isForced, version }: { readonly isForced: boolean; readonly version: string },
): Promise<RecordingFile> {
  checkWritable(file, []);
  const release = lockRecording(file);
  try {
    if (isExisting(file) && !isForced) throw alreadyThere(file);
    const opening = openingOf(version);
    writeWhole(file, `${opening}${closing}`, { isReplacing: isForced });
    return new RecordingFile(file, await openToWrite(file), Buffer.byteLength(opening), release);
  } catch (error) {
    release();
    throw error;
  }
}

/** Opens an existing file for writing. Throws a UserError if that fails. */
export async function openToWrite(file: NamedFile): Promise<FileHandle> {
  try {
    return await open(file.path, "r+");
  } catch (error) {
    if (codeOf(error) === "ENOENT") throw unreadable(file);
    throw new UserError(`${file.name} cannot be written (${reasonOf(error)}).`);
  }
}

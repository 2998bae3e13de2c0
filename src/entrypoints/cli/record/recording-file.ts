import { statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { appended, closing, openingOf } from "../../../recordings/har/recording-frame.ts";
import type { NamedFile } from "../files/named-file.ts";
import { reasonOf } from "../files/system-error.ts";
import { unreadable } from "../files/unreadable.ts";
import { alreadyThere } from "../files/whole-file.ts";
import { checkWritable, writeWhole } from "../files/write-whole.ts";
import { UserError } from "../user-error.ts";
import { lockRecording } from "./recording-lock.ts";

/** Bytes of entries that may wait for the disk. */
export const waitingBytesMax: number = 64 * 1024 * 1024;

/** What the recording needs of an open file. */
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

/** `dropped`: too much was waiting for the disk. `failed`: the disk takes no more. */
export type Appended = "written" | "dropped" | "failed";

interface Waiting {
  readonly line: string;
  readonly bytes: number;
  readonly done: (outcome: Appended) => void;
}

/**
 * A recording that grows: HAR 1.2 after every append. An append is one positioned write over the closing brackets, so what
 * a crash tears is at the end of the file. Entries that come while a write is under way go into the next one together. Where
 * more waits than `waitingBytesMax` an entry is dropped, and its caller told: a disk that stands still must not hold up those
 * whose traffic it is. The first error of the disk ends it: the brackets are put back, and `problem` says what is kept.
 */
export class RecordingFile {
  /** Resolves when the disk takes no more. */
  readonly failure: Promise<void>;
  readonly #file: NamedFile;
  readonly #disk: Disk;
  readonly #release: () => void;
  readonly #fail: () => void;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  /** Where the closing stands. */
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

  /** Entries that stand in the file. */
  get entries(): number {
    return this.#entries;
  }

  /** Why nothing can be added any more, and what is kept. */
  get problem(): UserError | undefined {
    return this.#problem;
  }

  /** Adds an entry, which is one line; resolves when the system has it. */
  append(line: string): Promise<Appended> {
    const bytes = Buffer.byteLength(line);
    if (this.#problem !== undefined) return Promise.resolve("failed");
    if (this.#waitingBytes + bytes > waitingBytesMax) return Promise.resolve("dropped");
    return new Promise((done) => {
      this.#waiting.push({ line, bytes, done });
      this.#waitingBytes += bytes;
      this.#writing ??= this.#writeAll();
    });
  }

  /** Waits for what is under way; the recording is whole then. */
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

  async #write(batch: readonly Waiting[]): Promise<Appended> {
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
      await this.#putBack();
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

  /** The place of the closing was the file's before, so that even a full disk takes it. */
  async #putBack(): Promise<void> {
    try {
      await this.#writeAt(Buffer.from(closing), this.#end);
      await this.#disk.truncate(this.#end + closing.length);
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }

  #stop(error: unknown): void {
    if (!(error instanceof Error && "code" in error)) throw error;
    const kept = `${this.#entries} ${this.#entries === 1 ? "exchange is" : "exchanges are"} kept in it`;
    this.#problem = new UserError(
      `${this.#file.name} cannot be written any more (${reasonOf(error)}); ${kept}. Nothing is recorded now.`,
    );
    this.#fail();
  }
}

/** Begins a recording in a file of its own, made whole before it has its name. Throws a UserError where that cannot be. */
export async function createRecordingFile(
  file: NamedFile,
  { isForced, version }: { readonly isForced: boolean; readonly version: string },
): Promise<RecordingFile> {
  checkWritable(file, []);
  const found = statSync(file.path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile())
    throw new UserError(`${file.name} is not a regular file. Name a new file.`);
  const release = lockRecording(file);
  try {
    if (found !== undefined && !isForced) throw alreadyThere(file);
    const opening = openingOf(version);
    writeWhole(file, `${opening}${closing}`, { isReplacing: isForced });
    return new RecordingFile(file, await openToWrite(file), Buffer.byteLength(opening), release);
  } catch (error) {
    release();
    throw error;
  }
}

/** Opens a file that is there. Throws a UserError where that cannot be. */
export async function openToWrite(file: NamedFile): Promise<FileHandle> {
  try {
    return await open(file.path, "r+");
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (reason === "ENOENT") throw unreadable(file);
    throw new UserError(`${file.name} cannot be written (${reason}).`);
  }
}

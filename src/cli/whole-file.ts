import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { UserError } from "./user-error.ts";

/** A file that is written bit by bit and is there whole or not at all. */
export class WholeFile {
  readonly #file: string;
  readonly #part: string;
  readonly #descriptor: number;
  #isOpen = true;

  /** Throws a UserError that names the file, as do `write` and `finish`. A private file is for its owner alone. */
  constructor(file: string, access: "shared" | "private" = "shared") {
    this.#file = file;
    this.#part = `${file}.part-${process.pid}`;
    this.#descriptor = this.#trying(() => openSync(this.#part, "w", access === "private" ? 0o600 : 0o666));
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    this.#trying(() => {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
    });
  }

  /** Puts the file in its place. */
  finish(): void {
    this.#close();
    this.#trying(() => renameSync(this.#part, this.#file));
  }

  /** Leaves no trace of a file that is not finished. */
  [Symbol.dispose](): void {
    this.#close();
    rmSync(this.#part, { force: true });
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }

  #trying<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
      throw new UserError(`${this.#file} cannot be written (${reason}).`);
    }
  }
}

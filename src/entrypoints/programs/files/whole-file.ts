import { randomBytes } from "node:crypto";
import { closeSync, fchmodSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { UserError } from "../user-error.ts";
import type { NamedFile } from "./named-file.ts";
import { checkReplaceable } from "./replaceable.ts";
import { codeOf, reasonOf } from "./system-error.ts";

export interface WholeFileOptions {
  /** Only its owner can read a private file. */
  readonly access?: "shared" | "private";
  /** Whether an existing file with the same name is replaced. */
  readonly isReplacing: boolean;
}

/** A file that is written in parts. It gets its name only when it is complete. */
export class WholeFile {
  readonly #file: NamedFile;
  readonly #part: string;
  readonly #descriptor: number;
  readonly #isReplacing: boolean;
  /** Also runs when the process exits before `finish`. */
  readonly #removePart = (): void => rmSync(this.#part, { force: true });
  #isOpen = true;

  /** Throws a UserError that names the file, as do `write` and `finish`. */
  constructor(file: NamedFile, { access = "shared", isReplacing }: WholeFileOptions) {
    this.#file = file;
    this.#isReplacing = isReplacing;
    // A random name and the flag `wx`: in a shared folder, another user cannot place a link under this name.
    this.#part = `${file.path}.part-${randomBytes(6).toString("hex")}`;
    this.#descriptor = this.#withFileError(() => openSync(this.#part, "wx", access === "private" ? 0o600 : 0o666));
    process.once("exit", this.#removePart);
    if (isReplacing && access === "shared") this.#keepMode();
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    this.#withFileError(() => {
      for (let written = 0; written < bytes.length; ) written += writeSync(this.#descriptor, bytes, written);
    });
  }

  /** Gives the file its name, after all bytes are on the disk. */
  finish(): void {
    this.#withFileError(() => {
      fsyncSync(this.#descriptor);
      this.#close();
      if (!this.#isReplacing) this.#giveName();
      else {
        checkReplaceable(this.#file);
        renameSync(this.#part, this.#file.path);
      }
    });
  }

  /** Removes the partial file if it is not finished. */
  [Symbol.dispose](): void {
    this.#close();
    this.#removePart();
    process.off("exit", this.#removePart);
  }

  /** The new file keeps the permissions of the one that it replaces. */
  #keepMode(): void {
    const replaced = statSync(this.#file.path, { throwIfNoEntry: false });
    if (replaced?.isFile() === true) this.#withFileError(() => fchmodSync(this.#descriptor, replaced.mode & 0o777));
  }

  /** A hard link is created in one step, and fails if the name exists. On a file system without hard links, an empty file claims the name first. */
  #giveName(): void {
    try {
      linkSync(this.#part, this.#file.path);
    } catch (error) {
      if (codeOf(error) === "EEXIST") throw alreadyThere(this.#file);
      this.#claimName();
      this.#replaceClaim();
    }
  }

  #replaceClaim(): void {
    try {
      renameSync(this.#part, this.#file.path);
    } catch (error) {
      rmSync(this.#file.path, { force: true });
      throw error;
    }
  }

  #claimName(): void {
    try {
      closeSync(openSync(this.#file.path, "wx"));
    } catch (error) {
      throw codeOf(error) === "EEXIST" ? alreadyThere(this.#file) : error;
    }
  }

  #close(): void {
    const isOpen = this.#isOpen;
    this.#isOpen = false;
    if (isOpen) closeSync(this.#descriptor);
  }

  #withFileError<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(`${this.#file.name} cannot be written (${reasonOf(error)}).`);
    }
  }
}

/** The error for an existing file that would be overwritten. */
export function alreadyThere({ name }: NamedFile): UserError {
  return new UserError(`${name} exists. Write elsewhere, or replace it with --force.`);
}

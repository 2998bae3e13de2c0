import { randomBytes } from "node:crypto";
import { closeSync, fchmodSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { UserError } from "../user-error.ts";
import type { NamedFile } from "./named-file.ts";

export interface WholeFileOptions {
  /** A private file is for its owner alone. */
  readonly access?: "shared" | "private";
  /** Whether a file that is there by then is replaced. */
  readonly isReplacing: boolean;
}

/** A file that is written bit by bit and is there whole or not at all. */
export class WholeFile {
  readonly #file: NamedFile;
  readonly #part: string;
  readonly #descriptor: number;
  readonly #isReplacing: boolean;
  /** Also where the process ends in between. */
  readonly #removePart = (): void => rmSync(this.#part, { force: true });
  #isOpen = true;

  /** Throws a UserError that names the file, as do `write` and `finish`. */
  constructor(file: NamedFile, { access = "shared", isReplacing }: WholeFileOptions) {
    this.#file = file;
    this.#isReplacing = isReplacing;
    // A name that nobody can know before, and a file that was not there: in a folder of many users nobody can lay a link there.
    this.#part = `${file.path}.part-${randomBytes(6).toString("hex")}`;
    this.#descriptor = this.#trying(() => openSync(this.#part, "wx", access === "private" ? 0o600 : 0o666));
    process.once("exit", this.#removePart);
    if (isReplacing && access === "shared") this.#keepMode();
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    this.#trying(() => {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
    });
  }

  /** Puts the file in its place, once the disk has all of it. */
  finish(): void {
    this.#trying(() => {
      fsyncSync(this.#descriptor);
      this.#close();
      if (this.#isReplacing) renameSync(this.#part, this.#file.path);
      else this.#giveName();
    });
  }

  /** Leaves no trace of a file that is not finished. */
  [Symbol.dispose](): void {
    this.#close();
    this.#removePart();
    process.off("exit", this.#removePart);
  }

  /** What was closed to others stays so. */
  #keepMode(): void {
    const replaced = statSync(this.#file.path, { throwIfNoEntry: false });
    if (replaced?.isFile() === true) this.#trying(() => fchmodSync(this.#descriptor, replaced.mode & 0o777));
  }

  /** A second name is given in one step and only where there is none. A file system without such has the name claimed first. */
  #giveName(): void {
    try {
      linkSync(this.#part, this.#file.path);
    } catch (error) {
      if (codeOf(error) === "EEXIST") throw alreadyThere(this.#file);
      this.#claimName();
      this.#takeClaimed();
    }
  }

  #takeClaimed(): void {
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

  #trying<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(`${this.#file.name} cannot be written (${reasonOf(error)}).`);
    }
  }
}

/** What is said of a file that would be overwritten. */
export function alreadyThere({ name }: NamedFile): UserError {
  return new UserError(`${name} exists. Write elsewhere, or replace it with --force.`);
}

/** Why a system call failed, in words where there are some. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return reasons.get(code) ?? code;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "the disk is full, ENOSPC"],
  ["EDQUOT", "the quota is used up, EDQUOT"],
  ["EFBIG", "the file may not grow, EFBIG"],
  ["EROFS", "the file system is read-only, EROFS"],
  ["EACCES", "permission denied, EACCES"],
  ["EMFILE", "too many files are open, EMFILE"],
  ["ELOOP", "its symbolic links go in a circle, ELOOP"],
]);

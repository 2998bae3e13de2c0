import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { NamedFile } from "../files/named-file.ts";
import { UserError } from "../user-error.ts";

/**
 * Keeps a recording from being written by two processes: a file beside it names the process that writes. One that a crash
 * left counts no more. Gives what ends the lock; throws a UserError where another process has it.
 */
export function lockRecording(file: NamedFile): () => void {
  const lock = `${file.path}.lock`;
  if (!isTaken(lock)) return () => rmSync(lock, { force: true });
  const text = readFileSync(lock, "utf8");
  // Whoever makes a lock writes into it a moment later.
  if (!/^\d{1,10}$/.test(text))
    throw new UserError(
      `${file.name}.lock is in the way: it is no lock of a recorder, or of one that is just starting. Record to another file, or remove it.`,
    );
  const owner = Number(text);
  // In a container each process may have the id of the one that a crash ended.
  if (owner !== process.pid && isRunning(owner))
    throw new UserError(
      `${file.name} is being recorded by process ${owner}. Wait for its end, or remove ${file.name}.lock if that is no recorder.`,
    );
  rmSync(lock, { force: true });
  return lockRecording(file);
}

function isTaken(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return false;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code === "EEXIST") return true;
    throw new UserError(`${lock} cannot be written (${code}).`);
  }
}

function isRunning(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { NamedFile } from "../../programs/files/named-file.ts";
import { codeOf, reasonOf } from "../../programs/files/system-error.ts";
import { UserError } from "../../programs/user-error.ts";

/**
 * Locks a recording against a second writer: a lock file beside it has the id of the writing process. The lock of an ended
 * process does not count. Returns a function that releases the lock. Throws a UserError if another process has it.
 */
export function lockRecording(file: NamedFile): () => void {
  const lock = `${file.path}.lock`;
  if (!isExistingLock(lock)) return () => rmSync(lock, { force: true });
  const text = readFileSync(lock, "utf8");
  // A recorder creates its lock file empty and writes its process id right after.
  if (!/^\d{1,10}$/.test(text))
    throw new UserError(
      `${file.name}.lock exists and is not the lock file of a recorder. Record to another file, or remove it. If a recorder is just starting, try again.`,
    );
  const owner = Number(text);
  // In a container this process may have the same id as the recorder that crashed.
  if (owner !== process.pid && isRunning(owner))
    throw new UserError(
      `${file.name} is being recorded by process ${owner}. Wait until it ends, or remove ${file.name}.lock if that process is not a recorder.`,
    );
  rmSync(lock, { force: true });
  return lockRecording(file);
}

/** Creates the lock file; true if it exists already. */
function isExistingLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return false;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return true;
    throw new UserError(`${lock} cannot be written (${reasonOf(error)}).`);
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

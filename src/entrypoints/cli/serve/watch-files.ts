import { statSync } from "node:fs";
import type { NamedFile } from "../../programs/files/named-file.ts";

/** Interval between two checks of a file. */
const checkIntervalMs = 100;

/** Longer than two intervals, so that a file that is written in steps is complete when it is read. */
const settleMs = 250;

/**
 * Calls `onChange` once, shortly after any of the files changed, disappeared or reappeared. It polls the files: the system
 * sends no events for a folder that was replaced, nor for many folders that a container mounts. The first check is complete
 * when this returns, so that no later change is lost.
 */
export function watchFiles(files: readonly NamedFile[], onChange: () => void): { close(): void } {
  let settling: NodeJS.Timeout | undefined;
  let seen = files.map(stateOf);
  const check = () => {
    const states = files.map(stateOf);
    if (states.every((state, index) => state === seen[index])) return;
    seen = states;
    clearTimeout(settling);
    settling = setTimeout(onChange, settleMs);
  };
  const polling = setInterval(check, checkIntervalMs);
  // The server keeps the process alive; the polling must not.
  polling.unref();
  return {
    close() {
      clearTimeout(settling);
      clearInterval(polling);
    },
  };
}

/** A text that changes with the file; undefined for a file that is missing or not readable. */
function stateOf({ path }: NamedFile): string | undefined {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path);
    return [dev, ino, size, mtimeMs, ctimeMs].join();
  } catch {
    return undefined;
  }
}

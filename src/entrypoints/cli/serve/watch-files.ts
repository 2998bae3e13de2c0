import { statSync } from "node:fs";
import type { NamedFile } from "../files/named-file.ts";

/** Between two looks at a file. */
const lookMs = 100;

/** Longer than two looks, so that a file that is written in steps is read when it is whole. */
const settleMs = 250;

/**
 * Calls back once a while after any of the files changed, went away or came again. It looks at the files themselves: the
 * system tells nothing of a folder that went away and came back, nor of many a folder that a container mounts. The first
 * look is over when this returns, so that no later change is lost.
 */
export function watchFiles(files: readonly NamedFile[], onChange: () => void): { close(): void } {
  let settling: NodeJS.Timeout | undefined;
  let seen = files.map(stateOf);
  const look = () => {
    const states = files.map(stateOf);
    if (states.every((state, index) => state === seen[index])) return;
    seen = states;
    clearTimeout(settling);
    settling = setTimeout(onChange, settleMs);
  };
  const looking = setInterval(look, lookMs);
  // What is served keeps the process alive, and not the looks.
  looking.unref();
  return {
    close() {
      clearTimeout(settling);
      clearInterval(looking);
    },
  };
}

/** What changes when a file does; undefined for one that is not there, or cannot be looked at. */
function stateOf({ path }: NamedFile): string | undefined {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path);
    return [dev, ino, size, mtimeMs, ctimeMs].join();
  } catch {
    return undefined;
  }
}

import { type StatsListener, unwatchFile, watchFile } from "node:fs";
import type { NamedFile } from "./named-file.ts";

/** Between two looks at a file. */
const lookMs = 100;

/** Longer than two looks, so that a file that is written in steps is read when it is whole. */
const settleMs = 250;

/**
 * Calls back once a while after any of the files changed, went away or came again. It looks at the files themselves: the
 * system tells nothing of a folder that went away and came back, nor of many a folder that a container mounts.
 */
export function watchFiles(files: readonly NamedFile[], onChange: () => void): { close(): void } {
  let settling: NodeJS.Timeout | undefined;
  const onFile: StatsListener = () => {
    clearTimeout(settling);
    settling = setTimeout(onChange, settleMs);
  };
  for (const { path } of files) watchFile(path, { interval: lookMs, persistent: false }, onFile);
  return {
    close() {
      clearTimeout(settling);
      for (const { path } of files) unwatchFile(path, onFile);
    },
  };
}

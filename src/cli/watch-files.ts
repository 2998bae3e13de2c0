import { watch } from "node:fs";
import { basename, dirname } from "node:path";

const settleMs = 50;

/** Calls back once a while after any of the files changed; an editor writes a file in several steps, or replaces it. */
export function watchFiles(files: readonly string[], onChange: () => void): { close(): void } {
  let settling: NodeJS.Timeout | undefined;
  const byFolder = Map.groupBy(files, (file) => dirname(file));
  const watchers = [...byFolder].map(([folder, watched]) => {
    const names = new Set(watched.map((file) => basename(file)));
    const watcher = watch(folder, (_event, name) => {
      if (name === null || !names.has(name)) return;
      clearTimeout(settling);
      settling = setTimeout(onChange, settleMs);
    });
    // A folder that goes away ends its watch; the stub goes on.
    watcher.on("error", () => watcher.close());
    return watcher;
  });
  return {
    close() {
      clearTimeout(settling);
      for (const watcher of watchers) watcher.close();
    },
  };
}

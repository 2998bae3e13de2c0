import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type NamedFile, standardInput } from "./named-file.ts";
import { UserError } from "./user-error.ts";

/** Threads at which what one of them does for all of them takes its whole time. */
const threadsMax = 64;
/** Threads that are started unasked; each takes the memory of a judge. */
const threadsUnaskedMax = 4;
/** Bytes of recordings below which threads take longer to start than they save. */
const worthwhileBytes: number = 64 * 1024 * 1024;

/** How many threads judge these files: as many as are asked for, else what their size and the machine suggest; 1 where one of them is no plain file. */
export function threadsFor(asked: string | undefined, files: readonly NamedFile[]): number {
  const count = asked === undefined ? undefined : countOf(asked);
  const sizes = files.map(sizeOf);
  if (sizes.length === 0 || sizes.includes(undefined)) return 1;
  const bytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  return count ?? (bytes < worthwhileBytes ? 1 : Math.min(availableParallelism(), threadsUnaskedMax));
}

function countOf(asked: string): number {
  const count = /^\d{1,3}$/.test(asked) ? Number(asked) : 0;
  if (count >= 1 && count <= threadsMax) return count;
  throw new UserError(`--workers ${asked} is no number of threads. Use 1 to ${threadsMax}.`);
}

/** Undefined for what is no file, such as a pipe. */
function sizeOf({ name, path }: NamedFile): number | undefined {
  const found = name === standardInput ? undefined : statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true ? found.size : undefined;
}

/** A text from which states in memory were read: an archive, or a snapshot or changes of a store. Forks share it with their origin. */
export interface StateSource {
  readonly bytes: number;
}

/** What was read from texts. */
interface ReadWorld {
  readonly sources: readonly StateSource[];
}

/** Bytes of all texts from which worlds were read. */
export function sourceBytes(worlds: Iterable<ReadWorld>): number {
  const all = new Set<StateSource>();
  for (const { sources } of worlds) for (const source of sources) all.add(source);
  return bytesOf(all);
}

/** The worlds, the most important first, less those whose further texts would exceed a number of bytes. Returns the latter. */
export function worldsBeyond<World extends ReadWorld>(worlds: readonly World[], bytesMax: number): readonly World[] {
  const kept = new Set<StateSource>();
  let free = bytesMax;
  return worlds.filter(({ sources }) => {
    const further = new Set(sources.filter((source) => !kept.has(source)));
    const bytes = bytesOf(further);
    if (bytes > free) return true;
    free -= bytes;
    for (const source of further) kept.add(source);
    return false;
  });
}

function bytesOf(sources: Iterable<StateSource>): number {
  let sum = 0;
  for (const { bytes } of sources) sum += bytes;
  return sum;
}

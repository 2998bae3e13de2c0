/** Number of places in a path that are tried as its beginning: a prefix of a base URL has few segments. */
const beginningsMax = 10;

/** The indexes at which the path of an API may begin in a longer path: the first matches of a global pattern. */
export function pathBeginnings(path: string, pattern: RegExp): readonly number[] {
  const found: number[] = [];
  for (const { index } of path.matchAll(pattern)) {
    found.push(index);
    if (found.length === beginningsMax) break;
  }
  return found;
}

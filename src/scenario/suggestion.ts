/** The known name nearest to a misspelt one; undefined where none is near. */
export function suggestion(name: string, known: Iterable<string>): string | undefined {
  const ranked = [...known].map((candidate) => ({
    candidate,
    distance: editDistance(name.toLowerCase(), candidate.toLowerCase()),
  }));
  const nearest = ranked.sort((left, right) => left.distance - right.distance)[0];
  return nearest !== undefined && nearest.distance <= Math.max(2, Math.floor(name.length / 3))
    ? nearest.candidate
    : undefined;
}

/** "Did you mean X?", or the list of what there is. */
export function advise(name: string, known: Iterable<string>): string {
  const names = [...known];
  const near = suggestion(name, names);
  if (near !== undefined) return `Did you mean ${JSON.stringify(near)}?`;
  return names.length === 0 ? "There are none." : `Known are: ${names.join(", ")}.`;
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

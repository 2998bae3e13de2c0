/** Maximum length of a compared name; comparing takes the product of both lengths. */
const lengthMax = 200;

/** Maximum number of names that are compared with a misspelt one. */
const comparedMax = 1000;
const listedMax = 100;

/** The nearest known name for a misspelt one; undefined if none is near. */
export function suggestion(name: string, known: Iterable<string>): string | undefined {
  const farthest = Math.max(2, Math.floor(name.length / 3));
  const ranked = [...known]
    .filter(({ length }) => length <= lengthMax && Math.abs(length - name.length) <= farthest)
    .slice(0, comparedMax)
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }));
  const nearest = ranked.sort((left, right) => left.distance - right.distance)[0];
  return name.length <= lengthMax && nearest !== undefined && nearest.distance <= farthest
    ? nearest.candidate
    : undefined;
}

/** "Did you mean X?", or the list of the known names. */
export function advise(name: string, known: Iterable<string>): string {
  const names = [...known];
  const near = suggestion(name, names);
  if (near !== undefined) return `Did you mean ${JSON.stringify(near)}?`;
  if (names.length === 0) return "There are none.";
  const more = names.length - listedMax;
  return `Known are: ${names.slice(0, listedMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
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

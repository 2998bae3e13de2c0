/** Maximum length of a compared name; comparing takes the product of both lengths. */
const lengthMax = 200;

/** Maximum number of names that are compared with a misspelt one. */
const comparedMax = 1000;

/** Maximum number of names that are listed completely. Of more, only the nearest are shown. */
const listedMax = 10;
const nearestShown = 3;

/** The nearest known name for a misspelt one; undefined if none is near. */
export function suggestion(name: string, known: Iterable<string>): string | undefined {
  const farthest = Math.max(2, Math.floor(name.length / 3));
  const candidates = [...known].filter(({ length }) => Math.abs(length - name.length) <= farthest);
  const [nearest] = byDistance(name, candidates);
  return nearest !== undefined && nearest.distance <= farthest ? nearest.candidate : undefined;
}

/**
 * `Did you mean "x"?`, or the known names if none is near. Of more than ten names only the nearest three are shown, then
 * `whereListed`: a sentence that says where the whole list is.
 */
export function advise(name: string, known: Iterable<string>, whereListed?: string): string {
  const names = [...known];
  const near = suggestion(name, names);
  if (near !== undefined) return `Did you mean ${JSON.stringify(near)}?`;
  if (names.length === 0) return "There are no known names.";
  if (names.length <= listedMax) return `Known names: ${names.join(", ")}.`;
  const ranked = byDistance(name, names).map(({ candidate }) => candidate);
  const shown = (ranked.length === 0 ? names : ranked).slice(0, nearestShown);
  const where = whereListed === undefined ? "" : ` ${whereListed}`;
  return `The nearest of ${names.length} known names: ${shown.join(", ")}.${where}`;
}

interface RankedName {
  readonly candidate: string;
  readonly distance: number;
}

/** The names in the order of their distance from a misspelt one; empty if the misspelt one is too long to compare. */
function byDistance(name: string, names: readonly string[]): readonly RankedName[] {
  if (name.length > lengthMax) return [];
  return names
    .filter(({ length }) => length <= lengthMax)
    .slice(0, comparedMax)
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((left, right) => left.distance - right.distance);
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

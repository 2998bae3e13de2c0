/** Maximum length of a compared name; comparing takes the product of both lengths. */
const lengthMax = 200;

/** Maximum number of names that are compared with a misspelt one. */
const comparedMax = 1000;

/** Maximum number of names that are listed completely. Of more, only the nearest are shown. */
const listedMax = 10;
const nearestShown = 3;

/** The nearest known name for a misspelt one; undefined if none is near. */
export function suggestion(name: string, known: Iterable<string>): string | undefined {
  return nearestNames(name, known)[0];
}

/** The known names that continue the name after `.`, `/` or `::`, or have the same version, as canton-3.5 for 3.5; or else those that are equally near to it; empty if none is near. */
function nearestNames(name: string, known: Iterable<string>): readonly string[] {
  const names = [...known];
  const starts = [".", "/", "::"].map((mark) => `${name}${mark}`);
  const longer = name === "" ? [] : names.filter((one) => starts.some((start) => one.startsWith(start)));
  if (longer.length > 0) return longer;
  const versions = names.filter((one) => `${one}.`.includes(`-${name}.`) || name.startsWith(`${one}.`));
  if (/\d$/.test(name) && versions.length > 0) return versions;
  const farthest = Math.max(2, Math.floor(name.length / 3));
  const candidates = names.filter(({ length }) => Math.abs(length - name.length) <= farthest);
  const ranked = byDistance(name, candidates);
  const nearest = Math.min(ranked[0]?.distance ?? Number.POSITIVE_INFINITY, farthest);
  return ranked.filter(({ distance }) => distance === nearest).map(({ candidate }) => candidate);
}

/**
 * `Did you mean "x"?` with the nearest names, or the known names if none or too many are near. Of more than ten names only the nearest three are shown, then
 * `whereListed`: a sentence that says where the whole list is.
 */
export function advise(name: string, known: Iterable<string>, whereListed?: string): string {
  const names = [...known];
  const near = nearestNames(name, names);
  if (near.length > 0 && near.length <= nearestShown)
    return `Did you mean ${alternatives(near.map((one) => JSON.stringify(one)))}?`;
  if (names.length === 0) return "There are none to choose from.";
  if (names.length <= listedMax) return `Use ${alternatives(names)}.`;
  const ranked = byDistance(name, names).map(({ candidate }) => candidate);
  const shown = (ranked.length === 0 ? names : ranked).slice(0, nearestShown);
  const where = whereListed === undefined ? "" : ` ${whereListed}`;
  return `The nearest of ${names.length}: ${shown.join(", ")}.${where}`;
}

/** Joins names: `a, b or c`. */
export function alternatives(names: readonly string[]): string {
  return [names.slice(0, -1).join(", "), ...names.slice(-1)].filter((part) => part !== "").join(" or ");
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

/** The indexes of values that occur earlier in the list. Undefined entries are skipped. */
export function indexesOfRepeats(values: readonly (string | undefined)[]): readonly number[] {
  const seen = new Set<string>();
  const places: number[] = [];
  for (const [place, value] of values.entries()) {
    if (value === undefined) continue;
    if (seen.has(value)) places.push(place);
    seen.add(value);
  }
  return places;
}

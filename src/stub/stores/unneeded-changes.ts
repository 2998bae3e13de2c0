/** What can be deleted of a world. */
interface UnneededChanges {
  /** Versions of changes: above the first number, up to the second. */
  readonly ranges: readonly (readonly [after: number, until: number])[];
  readonly snapshots: readonly number[];
}

/**
 * The changes and snapshots that no needed version is computed from. A version is computed from the newest snapshot before it, or
 * from the beginning, and the changes since then.
 */
export function unneededChanges(snapshots: readonly number[], needed: readonly number[]): UnneededChanges {
  const bases = [...new Set([0, ...snapshots])].sort((left, right) => left - right);
  const ranges: (readonly [number, number])[] = [];
  const unneeded: number[] = [];
  for (const [index, base] of bases.entries()) {
    const next = bases[index + 1];
    if (next === undefined) break;
    const last = Math.max(base, ...needed.filter((version) => version >= base && version < next));
    if (!needed.some((version) => version >= base && version < next) && snapshots.includes(base)) unneeded.push(base);
    if (last < next) ranges.push([last, next]);
  }
  return { ranges, snapshots: unneeded };
}

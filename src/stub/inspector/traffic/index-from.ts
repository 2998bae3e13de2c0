export interface Numbered {
  readonly number: number;
}

/** Index of the first item with that number or a higher one; the items are in ascending order. */
export function indexFrom(items: readonly Numbered[], number: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.number ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The item with that number; the items are in ascending order. */
export function atNumber<Item extends Numbered>(items: readonly Item[], number: number): Item | undefined {
  const item = items[indexFrom(items, number)];
  return item?.number === number ? item : undefined;
}

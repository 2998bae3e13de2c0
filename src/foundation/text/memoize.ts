/** Limits of each of the two generations of the cache: entries, and characters of their keys. */
const textsMax = 500;
const keyCharactersMax = 64 * 1024;

/**
 * Memoizes a function of a text, such as a token, a query or a blob. The cache has two generations: when the newer one
 * is full, the older one is dropped.
 */
export function memoize<Made>(
  make: (text: string) => Made,
  charactersMax: number = keyCharactersMax,
): (text: string) => Made {
  let characters = 0;
  let [newer, older] = [new Map<string, { readonly made: Made }>(), new Map<string, { readonly made: Made }>()];
  return (text) => {
    const known = newer.get(text);
    if (known !== undefined) return known.made;
    const found = older.get(text) ?? { made: make(text) };
    if (text.length > charactersMax) return found.made;
    if (newer.size >= textsMax || characters + text.length > charactersMax) {
      [newer, older] = [new Map(), newer];
      characters = 0;
    }
    newer.set(text, found);
    characters += text.length;
    return found.made;
  };
}

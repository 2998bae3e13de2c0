import { GenerationCache } from "./generation-cache.ts";

/** Limits of each generation of the cache: entries, and characters of their keys. */
const textsMax = 500;
const keyCharactersMax = 64 * 1024;

/** Memoizes a function of a text, such as a token, a query or a blob. */
export function memoize<Made>(
  make: (text: string) => Made,
  charactersMax: number = keyCharactersMax,
): (text: string) => Made {
  const cache = new GenerationCache<string, { readonly made: Made }>(
    { entriesMax: textsMax, sizeMax: charactersMax },
    (_, text) => text.length,
  );
  return (text) => {
    const known = cache.get(text);
    if (known !== undefined) return known.made;
    const found = { made: make(text) };
    cache.set(text, found);
    return found.made;
  };
}

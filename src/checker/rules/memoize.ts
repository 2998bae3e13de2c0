/** Texts that half of a memory holds, and their characters. */
const textsMax = 500;
const charactersMax = 64 * 1024;

/**
 * Gives what `make` makes of a text, made once for each that came lately: tokens, queries and blobs come again and again.
 * When the newer half of the memory is full, the older one is forgotten.
 */
export function memoize<Made>(make: (text: string) => Made): (text: string) => Made {
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

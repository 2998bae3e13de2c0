/** A request target without its origin: servers accept absolute targets (RFC 9112 §3.2.2). */
export function withoutOrigin(target: string): string {
  if (target.startsWith("/")) return target;
  const origin = /^https?:\/\/[^/?]*/i.exec(target)?.[0];
  if (origin === undefined) return target;
  const relative = target.slice(origin.length);
  return relative.startsWith("/") ? relative : `/${relative}`;
}

/** Characters outside of `pchar`, `/` and `?`, and percent signs without two digits (RFC 3986 §3.3 and §3.4). */
const illegalCharacter = /[^\w\-.~!$&'()*+,;=:@/?%]|%(?![\da-f]{2})/i;

/** The index of the first character that a path with its query may not hold; undefined if all are allowed. */
export function illegalCharacterAt(target: string): number | undefined {
  const index = target.search(illegalCharacter);
  return index < 0 ? undefined : index;
}

/** Splits a request target into path and query. The origin of an absolute target is dropped; clients never send a fragment. */
export function splitTarget(target: string): { readonly path: string; readonly search: string } {
  const relative = withoutOrigin(target);
  const mark = relative.indexOf("?");
  return mark < 0
    ? { path: relative, search: "" }
    : { path: relative.slice(0, mark), search: relative.slice(mark + 1) };
}

/** Splits a request target into path and query. The origin of an absolute target is dropped; clients never send a fragment. */
export function splitTarget(target: string): { readonly path: string; readonly search: string } {
  const origin = target.startsWith("/") ? "" : (/^https?:\/\/[^/?]*/i.exec(target)?.[0] ?? "");
  const relative = target.slice(origin.length);
  const mark = relative.indexOf("?");
  return mark < 0
    ? { path: relative, search: "" }
    : { path: relative.slice(0, mark), search: relative.slice(mark + 1) };
}

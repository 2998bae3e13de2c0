import { withoutOrigin } from "../../foundation/http/request-target.ts";

/** Splits a request target into path and query. The origin of an absolute target is dropped; clients never send a fragment. */
export function splitTarget(target: string): { readonly path: string; readonly search: string } {
  const relative = withoutOrigin(target);
  const mark = relative.indexOf("?");
  return mark < 0
    ? { path: relative, search: "" }
    : { path: relative.slice(0, mark), search: relative.slice(mark + 1) };
}

import type { FoundRoute } from "./router.ts";
import type { Spec } from "./spec.ts";

/** A route; `from` is the index in the target at which the API's own path begins. */
export interface TargetRoute extends FoundRoute {
  readonly from: number;
}

/** Number of later places in a path that are tried as its beginning: a prefix of a base URL has few segments. */
const laterBeginningsMax = 10;
const origin = /^https?:\/\/[^/?]*/i;
const laterBeginning = /(?<!^)\/(?=(?:v2|registry)\/)/g;

/** The operation of a request, whose target may have an origin and a path prefix; undefined for an unknown operation. */
export function routeOf(
  { route }: Pick<Spec, "route">,
  { method, target }: { readonly method: string; readonly target: string },
): TargetRoute | undefined {
  const begin = origin.exec(target)?.[0].length ?? 0;
  const end = target.indexOf("?");
  const path = target.slice(begin, end < 0 ? undefined : end);
  const whole = route(method, path);
  if (whole.type === "found") return { ...whole, from: begin };
  let tried = 0;
  for (const { index } of path.matchAll(laterBeginning)) {
    if (tried === laterBeginningsMax) return undefined;
    tried += 1;
    const found = route(method, path.slice(index));
    if (found.type === "found") return { ...found, from: begin + index };
  }
  return undefined;
}

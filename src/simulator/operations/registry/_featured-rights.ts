import type { Release, WorldView } from "../operation.ts";
import type { Entry } from "../registry-context.ts";

/** Since Splice 0.8 a featured provider has no entry from the time in the fixture on. */
export function withoutEndedRights(
  entries: readonly Entry[],
  { endsFeaturedAppRights }: Release,
  { registry, nowMs }: WorldView,
): readonly Entry[] {
  const endMs = endsFeaturedAppRights ? registry.featuredAppRightsEndAtMs : undefined;
  return endMs === undefined || nowMs < endMs ? entries : entries.filter(({ key }) => key !== "featured-app-right");
}

import type { WorldStatuses } from "./control-api.ts";

/** The base URL for clients of a world. Worlds other than `default` are served under a path of their own. */
export function baseUrlOf({ clientUrl }: Pick<WorldStatuses, "clientUrl">, worldId: string): string {
  return `${clientUrl ?? location.origin}${worldId === "default" ? "" : `/w/${worldId}`}`;
}

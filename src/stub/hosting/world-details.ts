import type { StateSource } from "../stores/state-source.ts";

/** Whose a world is, how long it lives, and what it was read from. */
export interface WorldDetails {
  readonly labels: readonly string[];
  /** Milliseconds since the epoch; undefined for never. */
  readonly expiresMs: number | undefined;
  /** The digest of the named control token that forked it; undefined for the token of the server, and without one. */
  readonly creator: string | undefined;
  /** Empty for the world of a scenario in memory. */
  readonly sources: readonly StateSource[];
}

/** The number of labels of a world. */
export const labelsMax = 8;

/** A label: 1 to 63 characters. */
export const labelPattern: RegExp = /^[A-Za-z0-9._-]{1,63}$/;

/** A world that no fork has created: the world of the scenario. */
export const noDetails: WorldDetails = { labels: [], expiresMs: undefined, creator: undefined, sources: [] };

/** The details of a world alone. */
export function detailsOf({ labels, expiresMs, creator, sources }: WorldDetails): WorldDetails {
  return { labels, expiresMs, creator, sources };
}

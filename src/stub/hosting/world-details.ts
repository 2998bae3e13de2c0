/** Whose a world is, and how long it lives. */
export interface WorldDetails {
  readonly labels: readonly string[];
  /** Milliseconds since the epoch; undefined for never. */
  readonly expiresMs: number | undefined;
  /** The digest of the named control token that forked it; undefined for the token of the server, and without one. */
  readonly creator: string | undefined;
}

/** The number of labels of a world. */
export const labelsMax = 8;

/** A label: 1 to 63 characters. */
export const labelPattern: RegExp = /^[A-Za-z0-9._-]{1,63}$/;

/** A world that no fork has created: the world of the scenario. */
export const noDetails: WorldDetails = { labels: [], expiresMs: undefined, creator: undefined };

/** The details of a world alone. */
export function detailsOf({ labels, expiresMs, creator }: WorldDetails): WorldDetails {
  return { labels, expiresMs, creator };
}

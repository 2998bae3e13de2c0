/** Whose a world is, and how long it lives. */
export interface WorldDetails {
  readonly labels: readonly string[];
  /** Milliseconds since the epoch; undefined for never. */
  readonly expiresMs: number | undefined;
  /** The digest of the named control token that forked it; undefined for the token of the server, and without one. */
  readonly creator: string | undefined;
  /** Characters of the archive from which it was imported; 0 for any other world. */
  readonly archivedSize: number;
}

/** The number of labels of a world. */
export const labelsMax = 8;

/** A label: 1 to 63 characters. */
export const labelPattern: RegExp = /^[A-Za-z0-9._-]{1,63}$/;

/** A world that no fork has created: the world of the scenario. */
export const noDetails: WorldDetails = { labels: [], expiresMs: undefined, creator: undefined, archivedSize: 0 };

/** The details of a world alone. */
export function detailsOf({ labels, expiresMs, creator }: Omit<WorldDetails, "archivedSize">): WorldDetails {
  return { labels, expiresMs, creator, archivedSize: 0 };
}

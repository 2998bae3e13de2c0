import { defaultWorldId } from "../hosting/hosting.ts";

/** Workers that share out the worlds of one stub. They are numbered from 1. */
export interface Team {
  readonly count: number;
  /** What the ids of forks begin with. */
  readonly prefix: string;
}

/** Where the default world lives, and whoever asks for a world that nobody has is told so. */
export const firstWorker = 1;

/** What the ids of the forks begin with that a worker makes: who owns a world can be seen from its id. */
export function forkPrefixOf(worker: number, { prefix }: Team): string {
  return `${prefix}-${worker}`;
}

/** The worker that owns a world, if there is such a world. */
export function ownerOf(worldId: string, { count, prefix }: Team): number {
  if (worldId === defaultWorldId || !worldId.startsWith(`${prefix}-`)) return firstWorker;
  const [worker = "", fork] = worldId.slice(prefix.length + 1).split("-");
  const number = /^[1-9]\d?$/.test(worker) && fork !== undefined ? Number(worker) : firstWorker;
  return number <= count ? number : firstWorker;
}

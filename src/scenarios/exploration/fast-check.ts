import type * as FastCheckModule from "fast-check";

export type FastCheck = typeof FastCheckModule;

/** The optional package that generates and shrinks sequences is not installed. */
export class FastCheckMissing extends Error {}

/** Loads fast-check, an optional peer dependency. Rejects with FastCheckMissing. */
export async function loadFastCheck(): Promise<FastCheck> {
  try {
    return await import("fast-check");
  } catch (error) {
    throw new FastCheckMissing("fast-check is not installed", { cause: error });
  }
}

import type { HostedWorld } from "./hosted-world.ts";

/** When worlds expire. While no world has come to its end, it compares two numbers, and without any it reads no clock. */
export class Expiries {
  readonly #nowMs: () => number;
  /** No world expires before. */
  #firstMs = Number.POSITIVE_INFINITY;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  add(expiresMs: number | undefined): void {
    if (expiresMs !== undefined) this.#firstMs = Math.min(this.#firstMs, expiresMs);
  }

  /** The ids of the expired ones of all worlds. */
  expired(worlds: ReadonlyMap<string, HostedWorld>): readonly string[] {
    if (this.#firstMs === Number.POSITIVE_INFINITY) return [];
    const nowMs = this.#nowMs();
    if (nowMs < this.#firstMs) return [];
    const mortal = [...worlds.values()].filter(({ expiresMs }) => expiresMs !== undefined);
    this.#firstMs = Number.POSITIVE_INFINITY;
    for (const { expiresMs = 0 } of mortal) if (expiresMs > nowMs) this.add(expiresMs);
    return mortal.filter(({ expiresMs = 0 }) => expiresMs <= nowMs).map(({ first }) => first);
  }
}

import {
  type ControlTokens,
  controlTokensMax,
  type KeptControlToken,
  type NewControlToken,
  type TokenCreation,
  useNotedMs,
} from "../stores/control-tokens.ts";

/** Named tokens of one process, which end with it. */
export class MemoryControlTokens implements ControlTokens {
  readonly #tokens = new Map<string, KeptControlToken>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async create(token: NewControlToken): Promise<TokenCreation> {
    if (this.#tokens.has(token.name)) return "exists";
    if (this.#tokens.size >= controlTokensMax) return "full";
    this.#tokens.set(token.name, { ...token, createdMs: this.#nowMs(), lastUsedMs: undefined });
    return "created";
  }

  async list(): Promise<readonly KeptControlToken[]> {
    return [...this.#tokens.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  async use(name: string): Promise<void> {
    const token = this.#tokens.get(name);
    const nowMs = this.#nowMs();
    const usedMs = token?.lastUsedMs ?? 0;
    // A clock that was set back leaves a later time.
    if (token !== undefined && (usedMs <= nowMs - useNotedMs || usedMs > nowMs))
      this.#tokens.set(name, { ...token, lastUsedMs: nowMs });
  }

  async revoke(name: string): Promise<boolean> {
    return this.#tokens.delete(name);
  }
}

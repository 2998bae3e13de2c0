/** Formats timestamps as ISO-8601 in UTC. Caches the last text, since many requests arrive in the same millisecond. */
export class Timestamps {
  #ms = Number.NaN;
  #text = "";

  of(ms: number): string {
    if (ms !== this.#ms) {
      this.#ms = ms;
      this.#text = new Date(ms).toISOString();
    }
    return this.#text;
  }
}

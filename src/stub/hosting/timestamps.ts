/** Moments as ISO-8601 in UTC. Many requests come in one millisecond, so the last text is kept. */
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

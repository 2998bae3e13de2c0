/** What a recording shows fits into no world: it contradicts itself, or the contract. */
export class NotPlayable extends Error {
  /** `problem` says what does not fit, as a problem of the scenario that was inferred. */
  constructor(problem: string) {
    super(problem);
    this.name = "NotPlayable";
  }
}

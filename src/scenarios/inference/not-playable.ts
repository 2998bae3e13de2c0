/** The responses of a recording contradict each other, or the spec. */
export class NotPlayable extends Error {
  /** `problem` is the problem of the inferred scenario. */
  constructor(problem: string) {
    super(problem);
    this.name = "NotPlayable";
  }
}

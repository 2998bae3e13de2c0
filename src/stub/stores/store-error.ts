/** A store that cannot be used, with the remedy in its message. */
export class StoreError extends Error {
  /** `input`: the URL, the file or its contents are wrong. `unreachable`: the database does not respond. */
  readonly type: "input" | "unreachable";

  constructor(message: string, type: StoreError["type"] = "input") {
    super(message);
    this.name = "StoreError";
    this.type = type;
  }
}

/** Transactions have a field in 20 bytes, so that the largest body has fewer. */
const fieldsMaxDefault = 500_000;

/** Counts the fields of messages and of their inner messages, so that a small text cannot cause much work. */
export class FieldBudget {
  readonly #fieldsMax: number;
  #fields = 0;

  constructor(fieldsMax: number = fieldsMaxDefault) {
    this.#fieldsMax = fieldsMax;
  }

  /** The number of fields so far. */
  get fields(): number {
    return this.#fields;
  }

  get isExceeded(): boolean {
    return this.#fields > this.#fieldsMax;
  }

  /** Counts the fields of a message that needs no decoding; false beyond the maximum. */
  take(fields: number): boolean {
    this.#fields += fields;
    return !this.isExceeded;
  }

  /** Counts one field before it is read. Throws RangeError beyond the maximum. */
  spend(): void {
    this.#fields += 1;
    if (this.isExceeded) throw new RangeError(`the messages have more than ${this.#fieldsMax} fields`);
  }
}

import { type Parsed, textOfParsed } from "./parsed.ts";

/**
 * Why a value is refused, with the path below the innermost message. A failure of a message is closed: its path does not
 * grow, since a node's paths begin at the innermost message.
 */
export class DecodingFailure {
  readonly #reason: string;
  readonly #path: string;
  readonly #isClosed: boolean;

  constructor(reason: string, path = "", isClosed = false) {
    this.#reason = reason;
    this.#path = path;
    this.#isClosed = isClosed;
  }

  /** The failure of the value that holds the failed one as this member. An empty name adds nothing. */
  under(member: string): DecodingFailure {
    if (this.#isClosed || member === "") return this;
    const separator = this.#path === "" || this.#path.startsWith("[") ? "" : ".";
    return new DecodingFailure(this.#reason, `${member}${separator}${this.#path}`);
  }

  closed(): DecodingFailure {
    return this.#isClosed ? this : new DecodingFailure(this.#reason, this.#path, true);
  }

  get text(): string {
    return this.#path === "" ? this.#reason : `${this.#reason} at '${this.#path}'`;
  }
}

/** The failure of an absent member. */
export const missing: DecodingFailure = new DecodingFailure("Missing required field");

/** The failure of a value of another type than expected, for example `string` or `array`. */
export function wrongType(value: Parsed, expected: string): DecodingFailure {
  return new DecodingFailure(`Got value '${textOfParsed(value)}' with wrong type, expecting ${expected}`);
}

/** One failure for several: their texts, joined. */
export function allFailures(failures: readonly DecodingFailure[]): DecodingFailure {
  return new DecodingFailure(failures.map(({ text }) => text).join(", "), "", true);
}

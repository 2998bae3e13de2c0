import { headerValues } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { hashOf } from "./hash.ts";

/** Whose token a recorded request carries: `token-1` for the first that the recording shows, and so on. */
export interface TokenRole {
  readonly placeholder: string;
  /** Whether the recording kept no more than that there was one, so that it may have been anybody's. */
  readonly isLeftOut: boolean;
}

const redacted = /^(?:bearer\s+)?(token-\d+)$/i;

/** Names the tokens of a recording in the order in which they come, as redaction does; it keeps none. */
export class RecordedTokens {
  readonly #seen = new Map<number, string>();

  roleOf({ headers }: Request): TokenRole | undefined {
    const value = headerValues(headers, "authorization")[0]?.trim();
    if (value === undefined) return undefined;
    const placeholder = redacted.exec(value)?.[1]?.toLowerCase() ?? this.#numbered(value);
    return { placeholder, isLeftOut: value === "[redacted]" };
  }

  #numbered(value: string): string {
    const hash = hashOf(value);
    const placeholder = this.#seen.get(hash) ?? `token-${this.#seen.size + 1}`;
    this.#seen.set(hash, placeholder);
    return placeholder;
  }
}

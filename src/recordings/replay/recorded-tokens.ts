import { headerValues } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { redactionMark } from "../../foundation/secrets/secret-name.ts";
import { hashOf } from "./hash.ts";

/** The token of a recorded request: `token-1` for the first token in the recording, and so on. */
export interface TokenRole {
  readonly placeholder: string;
  /** Whether the recording has only the redaction mark in its place. */
  readonly isRedacted: boolean;
}

const redacted = /^(?:bearer\s+)?(token-\d+)$/i;

/** Numbers the tokens of a recording by first occurrence, as redaction does. Stores only hashes. */
export class RecordedTokens {
  readonly #seen = new Map<number, string>();

  roleOf({ headers }: Request): TokenRole | undefined {
    const value = headerValues(headers, "authorization")[0]?.trim();
    if (value === undefined) return undefined;
    const placeholder = redacted.exec(value)?.[1]?.toLowerCase() ?? this.#numbered(value);
    return { placeholder, isRedacted: value === redactionMark };
  }

  #numbered(value: string): string {
    const hash = hashOf(value);
    const placeholder = this.#seen.get(hash) ?? `token-${this.#seen.size + 1}`;
    this.#seen.set(hash, placeholder);
    return placeholder;
  }
}

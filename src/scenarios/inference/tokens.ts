import { type HeaderList, headerValues } from "../../foundation/http/header.ts";

const placeholder = /^bearer (token-\d+)$/i;

/** The tokens of a recording, as placeholders: a real one is never written. */
export class SeenTokens {
  readonly #numbers = new Map<string, number>();

  /** The Authorization header to send; undefined for none. A token that got 401 is played as no token. */
  written(headers: HeaderList, status: number, responseText: string): string | undefined {
    const [value] = headerValues(headers, "authorization");
    const protocol = headerValues(headers, "sec-websocket-protocol").find((text) => text.includes("jwt.token."));
    const sent = value ?? protocol;
    if (sent === undefined || status === 401) return undefined;
    // The response shows whether the token was empty or was redacted.
    if (/^bearer\s*$/i.test(sent) || (status === 400 && /header Authorization/i.test(responseText))) return "Bearer";
    const known = placeholder.exec(sent)?.[1];
    if (known !== undefined) return `Bearer ${known}`;
    const isBearer = /^bearer\s/i.test(sent) || sent === protocol;
    // Recorders replace secrets by various texts.
    if (!isBearer) return /^(?:basic|digest|negotiate)\s/i.test(sent) ? undefined : "Bearer any";
    const number = this.#numbers.get(sent) ?? this.#numbers.size + 1;
    this.#numbers.set(sent, number);
    return `Bearer token-${number}`;
  }
}

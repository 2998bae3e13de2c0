import { headerValue } from "../../../foundation/http/header.ts";
import { memoize } from "../../../foundation/text/memoize.ts";
import { digestOf } from "../../rules/digest.ts";
import { isRedacted } from "../../rules/is-redacted.ts";
import type { CheckedExchange } from "../../rules/rule.ts";

type Tokens = (checked: Pick<CheckedExchange, "exchange">) => string | undefined;

/** Gives a digest of the bearer token of a request; undefined if it is missing or redacted. */
export function createTokens(): Tokens {
  const tokenIn = memoize(shortToken);
  return ({ exchange }) => tokenIn(headerValue(exchange.request.headers, "authorization") ?? "");
}

/** Names of query parameters that have a token. */
export const secretParameter: RegExp =
  /^(?:access[_-]?token|id[_-]?token|token|jwt|bearer|auth|authorization|api[_-]?key)$/i;

function shortToken(header: string): string | undefined {
  const token = /^bearer\s+(\S+)\s*$/i.exec(header)?.[1];
  return token === undefined || isRedacted(token) ? undefined : digestOf(token);
}

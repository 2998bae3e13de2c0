import { headerValues } from "../../../foundation/http/header.ts";
import { digestOf } from "../../rules/digest.ts";
import { isRedacted } from "../../rules/is-redacted.ts";
import { memoize } from "../../rules/memoize.ts";
import type { CheckedExchange } from "../../rules/rule.ts";

type Tokens = (checked: Pick<CheckedExchange, "exchange">) => string | undefined;

/** Gives a digest of the bearer token of a request; undefined if it is missing or redacted. */
export function createTokens(): Tokens {
  const tokenIn = memoize(shortToken);
  return ({ exchange }) => tokenIn(headerValues(exchange.request.headers, "authorization")[0] ?? "");
}

function shortToken(header: string): string | undefined {
  const token = /^bearer\s+(\S+)\s*$/i.exec(header)?.[1];
  return token === undefined || isRedacted(token) ? undefined : digestOf(token);
}

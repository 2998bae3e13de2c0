import { headerValues } from "../../../foundation/http/header.ts";
import { digestOf } from "../../rules/digest.ts";
import { isRedacted } from "../../rules/is-redacted.ts";
import { memoize } from "../../rules/memoize.ts";
import type { CheckedExchange } from "../../rules/rule.ts";

type Tokens = (checked: Pick<CheckedExchange, "exchange">) => string | undefined;

/** Gives the bearer token of a request, as a short text; undefined where there is none, or none that is told apart. */
export function createTokens(): Tokens {
  const tokenIn = memoize(shortToken);
  return ({ exchange }) => tokenIn(headerValues(exchange.request.headers, "authorization")[0] ?? "");
}

function shortToken(header: string): string | undefined {
  const token = /^bearer\s+(\S+)\s*$/i.exec(header)?.[1];
  return token === undefined || isRedacted(token) ? undefined : digestOf(token);
}

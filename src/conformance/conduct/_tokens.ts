import { headerValues } from "../../http/header.ts";
import { digestOf } from "../digest.ts";
import { onceEach } from "../once-each.ts";
import { isPlaceholder } from "../placeholder.ts";
import type { JudgedExchange } from "../rule.ts";

type Tokens = (judged: Pick<JudgedExchange, "exchange">) => string | undefined;

/** Gives the bearer token of a request, as a short text; undefined where there is none, or none that is told apart. */
export function createTokens(): Tokens {
  const tokenIn = onceEach(shortToken);
  return ({ exchange }) => tokenIn(headerValues(exchange.request.headers, "authorization")[0] ?? "");
}

function shortToken(header: string): string | undefined {
  const token = /^bearer\s+(\S+)\s*$/i.exec(header)?.[1];
  return token === undefined || isPlaceholder(token) ? undefined : digestOf(token);
}

import { headerValues } from "../../http/header.ts";
import { digestOf } from "../digest.ts";
import { isPlaceholder } from "../placeholder.ts";
import type { JudgedExchange } from "../rule.ts";

/** The bearer token of a request, as a short text; undefined where there is none, or none that is told apart. */
export function bearerOf({ exchange }: Pick<JudgedExchange, "exchange">): string | undefined {
  const [value = ""] = headerValues(exchange.request.headers, "authorization");
  const token = /^bearer\s+(\S+)\s*$/i.exec(value)?.[1];
  return token === undefined || isPlaceholder(token) ? undefined : digestOf(token);
}

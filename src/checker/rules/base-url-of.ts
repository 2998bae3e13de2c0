import { headerValue } from "../../foundation/http/header.ts";
import type { CheckedExchange } from "./rule.ts";

/** Host and path prefix of the API, as a key. */
export function baseUrlOf({ exchange, operation }: Pick<CheckedExchange, "exchange" | "operation">): string {
  const { target, headers } = exchange.request;
  const marker = operation.api === "registry" ? "/registry/" : "/v2/";
  if (target.startsWith(marker)) return `${hostName(headerValue(headers, "host") ?? "")} `;
  const [, named, path = ""] = baseUrl.exec(target) ?? [];
  const host = hostName(named ?? headerValue(headers, "host") ?? "");
  return `${host} ${path.slice(0, Math.max(0, path.indexOf(marker)))}`;
}

/** The host without a default port, so that http and https lead to the same key. */
function hostName(host: string): string {
  const name = host.toLowerCase();
  return name.endsWith(":80") || name.endsWith(":443") ? name.slice(0, name.lastIndexOf(":")) : name;
}

const baseUrl = /^(?:https?:\/\/([^/?]*))?([^?]*)/i;

/** The world that the header Understudy-World names; empty without the header. */
export function namedWorldOf({ exchange }: Pick<CheckedExchange, "exchange">): string {
  return headerValue(exchange.request.headers, "understudy-world") ?? "";
}

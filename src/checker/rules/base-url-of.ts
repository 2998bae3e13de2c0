import { headerValues } from "../../foundation/http/header.ts";
import type { CheckedExchange } from "./rule.ts";

/** Host and path prefix of the API that a request went to. */
export function baseUrlOf({ exchange, operation }: Pick<CheckedExchange, "exchange" | "operation">): string {
  const { target, headers } = exchange.request;
  const marker = operation.api === "registry" ? "/registry/" : "/v2/";
  if (target.startsWith(marker)) return `${hostName(headerValues(headers, "host")[0] ?? "")} `;
  const [, named, path = ""] = baseUrl.exec(target) ?? [];
  const host = hostName(named ?? headerValues(headers, "host")[0] ?? "");
  return `${host} ${path.slice(0, Math.max(0, path.indexOf(marker)))}`;
}

/** Whoever comes over another scheme or names the usual port comes to the same target. */
function hostName(host: string): string {
  const name = host.toLowerCase();
  return name.endsWith(":80") || name.endsWith(":443") ? name.slice(0, name.lastIndexOf(":")) : name;
}

const baseUrl = /^(?:https?:\/\/([^/?]*))?([^?]*)/i;

/** The world behind the base URL that a header names; empty where none does. */
export function namedWorldOf({ exchange }: Pick<CheckedExchange, "exchange">): string {
  return headerValues(exchange.request.headers, "understudy-world")[0] ?? "";
}

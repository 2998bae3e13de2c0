import type { Exchange } from "../../../foundation/http/exchange.ts";
import { headerValue } from "../../../foundation/http/header.ts";

/** Counts the entries of browsers and proxies that are not requests to an API, by kind. */
export class OtherEntries {
  readonly #counts = new Map<string, number>();
  #messages = 0;

  add(exchange: Exchange): void {
    const kind = kindOf(exchange);
    if (kind === undefined) return;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    this.#messages += exchange.messages?.length ?? 0;
  }

  /** The sentence about them; undefined without any. */
  sentence(): string | undefined {
    if (this.#counts.size === 0) return undefined;
    const kinds = [...this.#counts].map(([kind, count]) => {
      const named = `${count} ${kind}${count === 1 ? "" : "s"}`;
      if (kind !== webSocket) return named;
      return `${named} with ${this.#messages} ${this.#messages === 1 ? "message" : "messages"}`;
    });
    return `Entries that are not requests to an API, not checked: ${kinds.join(", ")}.`;
  }
}

const webSocket = "WebSocket";

function kindOf({ request, response, messages }: Exchange): string | undefined {
  if (request.method === "CONNECT") return "CONNECT tunnel";
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(request.target)?.[1]?.toLowerCase() ?? "http";
  if (messages !== undefined || response.status === 101 || /^wss?$/.test(scheme)) return webSocket;
  if (!/^https?$/.test(scheme)) return `${scheme}: URL`;
  const isPreflight = headerValue(request.headers, "access-control-request-method") !== undefined;
  return request.method === "OPTIONS" && isPreflight ? "CORS preflight" : undefined;
}

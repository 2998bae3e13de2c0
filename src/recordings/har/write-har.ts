import type { Exchange } from "../../foundation/http/exchange.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import { formatJson } from "../../foundation/json/json.ts";
import { isSecretHeader, redactionMark } from "../../foundation/secrets/secret-name.ts";
import { harEntry } from "./har-entry.ts";

/** HAR 1.2 text of exchanges, with redacted values of secret headers. */
export function writeHar(exchanges: readonly Exchange[], creatorVersion: string): string {
  const log = {
    version: "1.2",
    creator: { name: "canton-understudy", version: creatorVersion },
    entries: exchanges.map((exchange) => harEntry(withoutSecretHeaders(exchange))),
  };
  return `${formatJson({ log }, 2)}\n`;
}

/** The exchange with redacted values of its secret headers. */
function withoutSecretHeaders(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  return {
    ...exchange,
    request: masked(request),
    response:
      response.type === "response"
        ? masked(response)
        : response.partial === undefined
          ? response
          : { ...response, partial: masked(response.partial) },
  };
}

function masked<Masked extends { readonly headers: HeaderList }>(message: Masked): Masked {
  const headers = message.headers.map(([name, value]) => [name, isSecretHeader(name) ? redactionMark : value] as const);
  return { ...message, headers };
}

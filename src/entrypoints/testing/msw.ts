import { type HttpHandler, HttpResponse, http } from "msw";
import type { Understudy } from "../library/understudy.ts";

/** Where the application under test believes the ledger and the registry to be: a URL, or a path of the page's own origin. */
export interface UnderstudyHandlerOptions {
  /** Base URL of the ledger; the stub's own when left out. */
  readonly ledgerUrl?: string;
  /** Base URL of the registry; the stub's own when left out. */
  readonly registryUrl?: string;
}

/**
 * Handlers for Mock Service Worker that let a stub answer what an application asks at these base URLs; other requests
 * are not touched. A response that breaks off is a network error. Throws RangeError for what is no base URL.
 *
 * @example
 * const understudy = createUnderstudy();
 * const worker = setupWorker(...understudyHandlers(understudy, { ledgerUrl: "https://ledger.example.com" }));
 */
export function understudyHandlers(
  understudy: Understudy,
  { ledgerUrl = understudy.ledgerUrl, registryUrl = understudy.registryUrl }: UnderstudyHandlerOptions = {},
): readonly HttpHandler[] {
  const bases = new Set([ledgerUrl, registryUrl].map(baseOf));
  // The first handler that fits answers, so what lies within the other comes first.
  return [...bases]
    .sort((left, right) => right.length - left.length)
    .map((base) =>
      http.all(`${base}/*`, async ({ request }) => {
        const { pathname, search } = new URL(request.url);
        const path = pathname.slice(new URL(`${base}/`, request.url).pathname.length - 1);
        try {
          return await understudy.fetch(`${path}${search}`, await requestOf(request));
        } catch (error) {
          if (error instanceof TypeError) return HttpResponse.error();
          throw error;
        }
      }),
    );
}

/** Mock Service Worker takes anything for a path, and what is none for one that nobody asks for. */
function baseOf(url: string): string {
  if (/^(?:https?:\/\/[^/]|\/(?!\/))/i.test(url)) return url.replace(/\/+$/, "");
  throw new RangeError(`${JSON.stringify(url)} is no base URL. Write it as https://ledger.example.com, or as /path.`);
}

/** The request without its address; a request of a page cannot be sent again to another one as it is. */
async function requestOf(request: Request): Promise<RequestInit> {
  const { method, headers } = request;
  const body = await request.arrayBuffer();
  return body.byteLength === 0 ? { method, headers } : { method, headers, body };
}

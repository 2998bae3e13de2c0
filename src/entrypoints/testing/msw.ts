import { type HttpHandler, HttpResponse, http } from "msw";
import type { Understudy } from "../library/understudy.ts";

/** Base URLs that the application under test uses: absolute URLs, or paths on the page's own origin. */
export interface UnderstudyHandlerOptions {
  /** Base URL of the ledger. Default: `ledgerUrl` of the stub. */
  readonly ledgerUrl?: string;
  /** Base URL of the registry. Default: `registryUrl` of the stub. */
  readonly registryUrl?: string;
}

/**
 * Creates handlers for Mock Service Worker that pass requests under these base URLs to a stub; other requests are
 * unaffected. A response that is cut off becomes a network error. Throws RangeError for an invalid base URL.
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
  // The first matching handler responds, so the longer base URL comes first.
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

/** Checks a base URL: Mock Service Worker accepts any text as a path, and an invalid one matches no request. */
function baseOf(url: string): string {
  if (/^(?:https?:\/\/[^/]|\/(?!\/))/i.test(url)) return url.replace(/\/+$/, "");
  throw new RangeError(
    `${JSON.stringify(url)} is not a base URL. Use https://ledger.example.com or /path, for example.`,
  );
}

/** Method, headers and body of a request: a page's Request object cannot be sent to another URL. */
async function requestOf(request: Request): Promise<RequestInit> {
  const { method, headers } = request;
  const body = await request.arrayBuffer();
  return body.byteLength === 0 ? { method, headers } : { method, headers, body };
}

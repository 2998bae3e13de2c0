import { Body, emptyBody } from "../../foundation/http/body.ts";
import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";

/** The files of the page by path, such as `/` and `/assets/index.js`. They are read once, so no request path reaches the disk. */
export type PageFiles = ReadonlyMap<string, PageFile>;

export interface PageFile {
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** Allows only the page's own files; forbids inline scripts and framing. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What a browser gets at the base URL: a link to the page, with the status of a node. Undefined for other requests. */
export function baseUrlPage({ method, target, headers }: Request, files: PageFiles): Response | undefined {
  const isBrowser = headerValues(headers, "accept").some((accepted) => accepted.includes("text/html"));
  if (!isBrowser || method !== "GET" || target !== "/" || files.size === 0) return undefined;
  const text =
    '<!doctype html><html lang="en"><title>Understudy</title><p>This is the base URL of an Understudy stub, for API clients. <a href="/__understudy/">Open the inspector</a>.</p></html>';
  return {
    type: "response",
    status: 404,
    headers: [["Content-Type", "text/html; charset=UTF-8"]],
    body: new Body(text),
  };
}

/** The response for a file of the page; undefined for other paths. `/__understudy` redirects to `/__understudy/`. */
export function pageResponse(path: string, files: PageFiles): Response | undefined {
  if (path === "" && files.size > 0)
    return { type: "response", status: 308, headers: [["Location", "/__understudy/"]], body: emptyBody };
  const file = files.get(path);
  if (file === undefined) return undefined;
  const isNamedByContent = path.startsWith("/assets/");
  const headers: HeaderList = [
    ["Content-Type", file.contentType],
    ["Content-Security-Policy", contentSecurityPolicy],
    ["X-Content-Type-Options", "nosniff"],
    ["Referrer-Policy", "no-referrer"],
    ["Cross-Origin-Opener-Policy", "same-origin"],
    ["Cross-Origin-Resource-Policy", "same-origin"],
    ["Cache-Control", isNamedByContent ? "max-age=31536000, immutable" : "no-cache"],
  ];
  return { type: "response", status: 200, headers, body: new Body(file.body) };
}

import type { HeaderList } from "../../foundation/http/header.ts";
import type { Response } from "../../foundation/http/response.ts";

/** The files of the page by their path, such as `/` and `/assets/index.js`; read once, so that no path of a request reaches the disk. */
export type PageFiles = ReadonlyMap<string, PageFile>;

export interface PageFile {
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** Nothing but the page's own files is loaded or asked, nothing inline runs, and nobody frames it. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A file of the page; undefined where the path is none. `/__understudy` leads to `/__understudy/`. */
export function pageResponse(path: string, files: PageFiles): Response | undefined {
  if (path === "" && files.size > 0)
    return { type: "response", status: 308, headers: [["Location", "/__understudy/"]], body: new Uint8Array() };
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
  return { type: "response", status: 200, headers, body: file.body };
}

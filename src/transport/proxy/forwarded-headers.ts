import { type HeaderList, headerValues } from "../../foundation/http/header.ts";

/** Hop-by-hop fields (RFC 9110 §7.6.1), besides those listed in `Connection`. */
const hopByHop: readonly string[] = ["connection", "keep-alive", "proxy-connection", "te", "upgrade"];

/** Fields that are always forwarded, even if `Connection` lists them. Transfer-Encoding stays, since chunked stays chunked. */
const kept: ReadonlySet<string> = new Set(["host", "content-length", "transfer-encoding"]);

/** Removes hop-by-hop fields. Order, case and repetition of the others are unchanged. */
export function endToEnd(headers: HeaderList): HeaderList {
  const named = headerValues(headers, "connection").flatMap((value) => value.split(","));
  const dropped = new Set(
    [...hopByHop, ...named.map((name) => name.trim().toLowerCase())].filter((name) => !kept.has(name)),
  );
  return headers.filter(([name]) => !dropped.has(name.toLowerCase()));
}

/**
 * Replaces the proxy's host with the target's in `Host`. Targets select sites by name, and signatures and redirects depend
 * on it.
 */
export function addressed(headers: HeaderList, host: string): HeaderList {
  return headers.map(([name, value]) => [name, name.toLowerCase() === "host" ? host : value]);
}

/** The Content-Length of a body; undefined if absent or chunked. */
export function promisedLength(headers: HeaderList): number | undefined {
  if (headerValues(headers, "transfer-encoding").length > 0) return undefined;
  const [length = ""] = headerValues(headers, "content-length");
  return /^\d+$/.test(length) ? Number(length) : undefined;
}

import { type HeaderList, headerValues } from "../../foundation/http/header.ts";

/** Fields that speak of one connection only (RFC 9110, 7.6.1), besides those that `Connection` names. */
const hopByHop: readonly string[] = ["connection", "keep-alive", "proxy-connection", "te", "upgrade"];

/** Fields that a message cannot do without, whatever its `Connection` names. Transfer-Encoding stays, since chunked stays chunked. */
const kept: ReadonlySet<string> = new Set(["host", "content-length", "transfer-encoding"]);

/** The fields that are for the other end, in their order, with their case and as often as they came. */
export function endToEnd(headers: HeaderList): HeaderList {
  const named = headerValues(headers, "connection").flatMap((value) => value.split(","));
  const dropped = new Set(
    [...hopByHop, ...named.map((name) => name.trim().toLowerCase())].filter((name) => !kept.has(name)),
  );
  return headers.filter(([name]) => !dropped.has(name.toLowerCase()));
}

/**
 * The fields with the target's host for the proxy's. A target behind a name answers for that name alone, and the proxy's own
 * address would choose another site, or none, and break what is signed or redirected by host.
 */
export function addressed(headers: HeaderList, host: string): HeaderList {
  return headers.map(([name, value]) => [name, name.toLowerCase() === "host" ? host : value]);
}

/** The pairs in Node's flat lists of names and values. */
export function pairsOf(raw: readonly string[]): HeaderList {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) headers.push([raw[index] ?? "", raw[index + 1] ?? ""]);
  return headers;
}

/** The length that a head promises for the body; undefined where it promises none. */
export function promisedLength(headers: HeaderList): number | undefined {
  if (headerValues(headers, "transfer-encoding").length > 0) return undefined;
  const [length = ""] = headerValues(headers, "content-length");
  return /^\d+$/.test(length) ? Number(length) : undefined;
}

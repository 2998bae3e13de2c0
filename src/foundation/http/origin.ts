import { type HeaderList, headerValue, headerValues } from "./header.ts";

/** A host with its port. */
export interface Authority {
  /** In lower case; an IPv6 address in brackets. */
  readonly name: string;
  /** Empty if absent. */
  readonly port: string;
}

/** The host of a request; undefined without one, with two, or with an invalid one. */
export function hostOf(headers: HeaderList): Authority | undefined {
  const [host, ...others] = headerValues(headers, "host");
  return host === undefined || others.length > 0 ? undefined : authorityOf(host);
}

/** The origin of the page that sent a request: `none` without an `Origin`, undefined if it is not one http or https origin, such as `null`. */
export function originOf(headers: HeaderList): Authority | "none" | undefined {
  if (headerValue(headers, "origin") === undefined) return "none";
  const [origin = "", ...others] = headerValues(headers, "origin");
  const found = others.length > 0 ? undefined : /^https?:\/\/(.+)$/.exec(origin)?.[1];
  return found === undefined ? undefined : authorityOf(found);
}

/** Whether a request comes from no page, from a page of the same host and port, or from a page of one of these hosts. */
export function isOwnOrigin(headers: HeaderList, hosts: ReadonlySet<string>): boolean {
  const origin = originOf(headers);
  if (origin === "none") return true;
  if (origin === undefined) return false;
  const host = hostOf(headers);
  return hosts.has(origin.name) || (host !== undefined && isSameAuthority(origin, host));
}

export function isSameAuthority(left: Authority, right: Authority): boolean {
  return left.name === right.name && left.port === right.port;
}

/** Parses a host with an optional port; undefined for any other text. */
function authorityOf(text: string): Authority | undefined {
  const found = /^(\[[\da-f:.]+\]|[\da-z._-]+)(?::(\d{1,5}))?$/.exec(text.toLowerCase());
  return found === null ? undefined : { name: found[1] ?? "", port: found[2] ?? "" };
}

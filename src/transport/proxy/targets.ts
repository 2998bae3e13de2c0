/** Base URLs, fixed when the proxy starts. */
export interface TargetUrls {
  readonly ledger?: string | undefined;
  readonly registry?: string | undefined;
}

/** A target with its base URL. */
export interface Target {
  readonly name: "ledger" | "registry";
  readonly base: URL;
}

const registryPath = /^\/registry(?:[/?]|$)/;
const schemeAndHost = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** Selects the target by the path alone; undefined if no target is configured for it. */
export function targetOf({ ledger, registry }: TargetUrls, path: string): Target | undefined {
  if (registry !== undefined && registryPath.test(path)) return { name: "registry", base: new URL(registry) };
  return ledger === undefined ? undefined : { name: "ledger", base: new URL(ledger) };
}

/** Path and query of a request target. Scheme and host of an absolute URL are dropped (RFC 9112 §3.2.2). */
export function pathOf(requestTarget: string): string {
  const path = requestTarget.replace(schemeAndHost, "");
  return path === "" || path.startsWith("?") ? `/${path}` : path;
}

/** The path with the prefix of the target's base URL. */
export function pathAt({ base }: Target, path: string): string {
  return path.startsWith("/") ? `${base.pathname.replace(/\/+$/, "")}${path}` : path;
}

/** A readable name of the target. */
export function nameOf({ name, base }: Target): string {
  return `the ${name} at ${base.href}`;
}

/** Base URLs, fixed when the proxy starts. */
export interface TargetUrls {
  readonly ledger?: string | undefined;
  readonly registry?: string | undefined;
}

/** Where requests go. */
export interface Target {
  readonly name: "ledger" | "registry";
  readonly base: URL;
}

const registryPath = /^\/registry(?:[/?]|$)/;
const schemeAndHost = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** The target of a path; undefined where none was given for it. Nothing else of a request has a say. */
export function targetOf({ ledger, registry }: TargetUrls, path: string): Target | undefined {
  if (registry !== undefined && registryPath.test(path)) return { name: "registry", base: new URL(registry) };
  return ledger === undefined ? undefined : { name: "ledger", base: new URL(ledger) };
}

/** Path and query of a request target; of a whole URL (RFC 9112, 3.2.2) scheme and host do not count. */
export function pathOf(requestTarget: string): string {
  const path = requestTarget.replace(schemeAndHost, "");
  return path === "" || path.startsWith("?") ? `/${path}` : path;
}

/** The path as the target gets it: behind the prefix of its base URL. */
export function pathAt({ base }: Target, path: string): string {
  return path.startsWith("/") ? `${base.pathname.replace(/\/+$/, "")}${path}` : path;
}

/** The target for people. */
export function nameOf({ name, base }: Target): string {
  return `the ${name} at ${base.href}`;
}

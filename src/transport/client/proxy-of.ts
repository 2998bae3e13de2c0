import { BlockList, isIP } from "node:net";

/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for requests to a URL: `HTTP_PROXY` or `HTTPS_PROXY` by its scheme, or `ALL_PROXY`; undefined without one, or if
 * `NO_PROXY` names the host. Names in lower case take precedence, as with curl. Throws an Error for a proxy of another kind.
 */
export function proxyOf({ protocol, hostname, port }: URL, variables: Variables): URL | undefined {
  const read = (name: string) => variables[name] || variables[name.toUpperCase()] || undefined;
  const name = `${protocol.slice(0, -1)}_proxy`;
  const given = read(name) ?? read("all_proxy");
  const host = hostname.replace(/^\[|\]$/g, "");
  const hostPort = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  if (given === undefined || isExempt(host, hostPort, read("no_proxy") ?? "")) return undefined;
  const text = given.includes("://") ? given : `http://${given}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy === undefined)
    throw new Error(`${name.toUpperCase()} is not the URL of a proxy, such as http://proxy:3128`);
  if (proxy.protocol === "http:" || proxy.protocol === "https:") return proxy;
  throw new Error(
    `${name.toUpperCase()} names a proxy with ${proxy.protocol}//, and only http:// and https:// are supported`,
  );
}

/** Whether a list in `NO_PROXY` names a host: `*`, a domain with its subdomains, an address or a range such as 10.0.0.0/8; each may have a port. */
function isExempt(host: string, port: string, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    const [, name = entry, ownPort = port] = /^(.*?):(\d+)$/.exec(isIP(entry) === 6 ? "" : entry) ?? [];
    const domain = name
      .toLowerCase()
      .replace(/^\[|\]$/g, "")
      .replace(/^\*?\./, "");
    if (domain === "" || ownPort !== port) return false;
    return domain === "*" || host === domain || host.endsWith(`.${domain}`) || isInRange(host, domain);
  });
}

function isInRange(host: string, range: string): boolean {
  const [address = "", bits = ""] = range.split("/");
  const family = isIP(host) === 4 ? "ipv4" : "ipv6";
  if (isIP(host) === 0 || isIP(address) !== isIP(host) || !/^\d{1,3}$/.test(bits)) return false;
  const list = new BlockList();
  if (Number(bits) > (family === "ipv4" ? 32 : 128)) return false;
  list.addSubnet(address, Number(bits), family);
  return list.check(host, family);
}

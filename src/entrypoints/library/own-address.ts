import { BlockList, isIPv4, isIPv6 } from "node:net";

/** Whether only this machine can reach the address. Of host names, only `localhost` is known to be local. */
export function isLoopbackAddress(host: string): boolean {
  if (host.toLowerCase() === "localhost") return true;
  const address = host.replace(/^\[|\]$/g, "");
  // A list of addresses takes Node a millisecond to load.
  if (isIPv4(address)) return address.startsWith("127.");
  if (!isIPv6(address)) return false;
  const loopback = new BlockList();
  loopback.addSubnet("127.0.0.0", 8, "ipv4");
  loopback.addAddress("::1", "ipv6");
  return loopback.check(address, "ipv6");
}

/** A URL for clients on this machine: the loopback address replaces an unspecified one. */
export function reachableUrl(url: string): string {
  return url.replace("://0.0.0.0:", "://127.0.0.1:").replace("://[::]:", "://[::1]:");
}

const tokenLengthMin = 16;

/** The problem of a control token that is easy to guess, or that fits no header; undefined without one. */
export function controlTokenProblem(token: string): string | undefined {
  if (/^bearer\s/i.test(token)) return "it begins with the word Bearer. Leave the word out.";
  if (token.length < tokenLengthMin || token.length > 256)
    return `its length is ${token.length}. Use ${tokenLengthMin} to 256 characters; openssl rand -base64 32 prints such a token.`;
  if (!/^[\w.~+/=-]+$/.test(token))
    return "it has characters that a bearer token cannot have. Use letters, digits and . _ ~ + / = -";
  return undefined;
}

/** Whether a text is a host name, in lower case and without a port, or an IPv6 address in brackets. */
export function isHostName(name: string): boolean {
  return /^(?:[a-z0-9_](?:[a-z0-9._-]{0,251}[a-z0-9_])?|\[[\da-f:.]+\])$/.test(name);
}

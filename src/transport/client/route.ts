import { Agent, type AgentOptions, type ClientRequest, request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest, Agent as SecureAgent, type AgentOptions as SecureOptions } from "node:https";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import type { HeaderList } from "../../foundation/http/header.ts";
import { proxyOf, type Variables } from "./proxy-of.ts";

/** How requests leave this machine. */
export interface Network {
  /** The variables that name proxies: `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`. */
  readonly variables?: Variables;
  /** The certificate that the client presents to a server that requires one, in PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
}

/** The proxy does not connect to the target. */
export class ProxyFailure extends Error {}

/** The way to a target, directly or through a proxy. */
export interface NetworkRoute {
  /** Where the proxy is, without its credentials. */
  readonly proxy: string | undefined;
  createAgent(options: AgentOptions): Agent;
  /** Starts a request. Throws what Node throws for an invalid character. */
  open(path: string, headers: HeaderList, options: RequestOptions): ClientRequest;
}

/** Time for a proxy to connect to the target. */
const tunnelTimeoutMs = 30_000;

/**
 * The route to a base URL. Node's own requests are used, because they send exactly the given headers, in their order. Throws
 * an Error if a variable names a proxy that is not supported.
 */
export function routeTo(base: URL, { variables = {}, certificate }: Network = {}): NetworkRoute {
  const proxy = proxyOf(base, variables);
  const isSecure = base.protocol === "https:";
  const createAgent = (options: AgentOptions): Agent => {
    const secure: SecureOptions = { ...options, ...certificate };
    if (!isSecure) return proxy?.protocol === "https:" ? new SecureAgent(options) : new Agent(options);
    const agent = new SecureAgent(secure);
    return proxy === undefined ? agent : Object.assign(agent, { createConnection: tunnelThrough(proxy, base) });
  };
  const isForwarded = proxy !== undefined && !isSecure;
  const first = isForwarded ? proxy : base;
  const send = first.protocol === "https:" ? httpsRequest : httpRequest;
  return {
    proxy: proxy?.origin,
    createAgent,
    open: (path, headers, options) =>
      send({
        ...options,
        ...addressOf(first),
        // A proxy needs the whole URL (RFC 9112 §3.2.2).
        path: isForwarded ? `${base.origin}${path}` : path,
        headers: [...headers, ...(isForwarded ? credentialsOf(proxy) : [])].flat(),
        setDefaultHeaders: false,
      }),
  };
}

function addressOf({ protocol, hostname, port }: URL): Pick<RequestOptions, "protocol" | "hostname" | "port"> {
  return { protocol, hostname: hostname.replace(/^\[|\]$/g, ""), port };
}

function credentialsOf({ username, password }: URL): HeaderList {
  if (username === "") return [];
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return [["Proxy-Authorization", `Basic ${Buffer.from(credentials).toString("base64")}`]];
}

type Connected = (error: Error | null, socket?: Duplex) => void;

/** Connects to a target with TLS through a proxy (RFC 9110 §9.3.6). */
function tunnelThrough(proxy: URL, base: URL) {
  const authority = `${base.hostname}:${base.port || "443"}`;
  return (options: SecureOptions, connected: Connected): undefined => {
    const asked = (proxy.protocol === "https:" ? httpsRequest : httpRequest)({
      ...addressOf(proxy),
      method: "CONNECT",
      path: authority,
      headers: Object.fromEntries([["Host", authority], ...credentialsOf(proxy)]),
      agent: false,
      timeout: tunnelTimeoutMs,
    });
    const fail = (problem: string, cause?: unknown) =>
      connected(new ProxyFailure(`the proxy ${proxy.origin} ${problem}`, { cause }));
    asked.once("timeout", () => asked.destroy(new Error("no response in time")));
    asked.once("error", (error) => fail(`does not respond (${"code" in error ? error.code : error.message})`, error));
    asked.once("response", (response) => {
      response.destroy();
      fail(`refuses to connect to ${authority} (${response.statusCode} ${response.statusMessage})`);
    });
    asked.once("connect", (response, socket) => {
      if (response.statusCode !== 200) {
        socket.destroy();
        fail(`refuses to connect to ${authority} (${response.statusCode} ${response.statusMessage})`);
        return;
      }
      const secured = connectTls({ ...options, socket, servername: options.servername ?? "" });
      const settle = (error: Error | null) => {
        secured.off("error", settle);
        secured.off("secureConnect", done);
        connected(error, secured);
      };
      const done = () => settle(null);
      secured.once("error", settle).once("secureConnect", done);
    });
    asked.end();
    return undefined;
  };
}

import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { CountedLimits } from "../../foundation/limits/counted-limits.ts";

/** Certificate and private key in PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** Maximum number of simultaneous connections beyond the limit that get a 503; further ones are closed without a response. */
export const refusedConnectionsMax = 64;

/** A server of Node with the limits; it does not listen yet. */
export function serverOf(tls: TlsFiles | undefined, limits: CountedLimits, listener: RequestListener): Server {
  const { connectionsMax, headBytesMax, headTimeoutMs, requestTimeoutMs, idleTimeoutMs } = limits.values;
  const options = {
    // Saves an event per request without a body; older Node versions ignore the option.
    optimizeEmptyRequests: true,
    // This server checks the Host header itself and explains refusals.
    requireHostHeader: false,
    maxHeaderSize: headBytesMax + 1,
    headersTimeout: headTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: idleTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, headTimeoutMs / 4),
  };
  const server =
    tls === undefined
      ? createServer(options, listener)
      : createSecureServer({ ...options, ...tls, handshakeTimeout: headTimeoutMs }, listener);
  // Node would silently drop headers beyond its maximum.
  server.maxHeadersCount = 0;
  // Node would end the connection of a client that has sent its last request, and lose the responses that are not yet written.
  Object.assign(server, { httpAllowHalfOpen: true });
  const refusedMax = tls === undefined ? Math.min(refusedConnectionsMax, connectionsMax) : 0;
  server.maxConnections = connectionsMax + refusedMax;
  return server;
}

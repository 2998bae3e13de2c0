import type { IncomingMessage } from "node:http";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import type { LimitName } from "../../foundation/limits/limits.ts";
import type { RequestRefusal } from "./connection.ts";

/** The parsed fields of a request head. */
export interface Head {
  readonly headers: HeaderList;
  readonly hosts: number;
  /** Content-Length; undefined if absent. */
  readonly bodyLength: number | undefined;
  /** Transfer-Encoding, several values joined; undefined if absent. */
  readonly encoding: string | undefined;
}

/** Parses a flat list of header names and values. Optimized for requests without length and encoding. */
export function headOf(raw: readonly string[]): Head {
  const headers: [string, string][] = [];
  let [hosts, bodyLength, encoding]: [number, number | undefined, string | undefined] = [0, undefined, undefined];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = "", value = ""] = [raw[index], raw[index + 1]];
    headers.push([name, value]);
    if (name.length === "host".length) {
      if (name.toLowerCase() === "host") hosts += 1;
    } else if (name.length === "content-length".length) {
      if (name.toLowerCase() === "content-length") bodyLength = Number(value);
    } else if (name.length === "transfer-encoding".length && name.toLowerCase() === "transfer-encoding")
      encoding = encoding === undefined ? value : `${encoding}, ${value}`;
  }
  return { headers, hosts, bodyLength, encoding };
}

/** The refusal of a request, as far as its head decides; undefined if accepted. */
export function refusalOf(
  incoming: IncomingMessage,
  head: Head,
  waiting: number,
  limits: CountedLimits,
): RequestRefusal | undefined {
  const { targetBytesMax, headersMax, bodyBytesMax, requestsWaitingMax } = limits.values;
  if ((incoming.url ?? "").length > targetBytesMax) return beyond(limits, "targetBytesMax");
  if (head.headers.length > headersMax) return beyond(limits, "headersMax");
  if (waiting > requestsWaitingMax) return beyond(limits, "requestsWaitingMax");
  if (head.bodyLength !== undefined && head.bodyLength > bodyBytesMax) return beyond(limits, "bodyBytesMax");
  const malformed = malformedHead(incoming, head);
  if (malformed !== undefined) limits.noteMalformed();
  return malformed;
}

/** Refuses ambiguous messages that Node accepts (RFC 9112 §3.2 and §6.1). */
function malformedHead(
  { httpVersionMajor, httpVersionMinor }: IncomingMessage,
  head: Head,
): RequestRefusal | undefined {
  if (httpVersionMajor !== 1) return versionRefused;
  if (head.hosts > 1 || (head.hosts === 0 && httpVersionMinor === 1))
    return badRequest(`expected one Host header, found ${head.hosts}`);
  if (head.encoding !== undefined && httpVersionMinor === 0)
    return badRequest("HTTP/1.0 does not allow Transfer-Encoding");
  if (head.encoding !== undefined && head.encoding.trim().toLowerCase() !== "chunked")
    return {
      status: 501,
      reason: "Not Implemented",
      text: "Unsupported Transfer-Encoding. Use chunked.",
    };
  return undefined;
}

const versionRefused: RequestRefusal = {
  status: 505,
  reason: "HTTP Version Not Supported",
  text: "Unsupported HTTP version. Use HTTP/1.1.",
};

export const methodRefused: RequestRefusal = {
  status: 405,
  reason: "Method Not Allowed",
  text: "CONNECT is not supported: the server is not a proxy.",
};

export const expectationRefused: RequestRefusal = {
  status: 417,
  reason: "Expectation Failed",
  text: "Unsupported expectation. Use Expect: 100-continue.",
};

/** The refusal of a request that exceeds a limit. It is counted. */
export function beyond(limits: CountedLimits, name: RefusedFor): RequestRefusal {
  limits.exceed(name);
  const { status, reason, what } = beyondBounds[name];
  // Nodes limit the size of bodies too, so this refusal is one of a node.
  const limit = name === "bodyBytesMax" ? undefined : name;
  return { status, reason, limit, text: `${what} ${limits.shown(name)}.` };
}

/** Limits whose excess the server refuses itself. */
type RefusedFor = Exclude<
  LimitName,
  | "archiveBytesMax"
  | "archiveEntriesMax"
  | "archiveEntryBytesMax"
  | "eventBytesMax"
  | "eventStreamsMax"
  | "idleTimeoutMs"
  | "journalBytesMax"
  | "journalExchangesMax"
  | "jsonValuesMax"
  | "nestingMax"
  | "numberLengthMax"
  | "protobufFieldsMax"
  | "responseTimeoutMs"
  | "stateBytesMax"
  | "worldsMax"
>;

const beyondBounds: Readonly<Record<RefusedFor, Omit<RequestRefusal, "text"> & { readonly what: string }>> = {
  bodyBytesMax: {
    status: 413,
    reason: "Content Too Large",
    what: "The request body is larger than the limit of",
  },
  bufferedBytesMax: {
    status: 503,
    reason: "Service Unavailable",
    what: "The requests and responses in progress on all connections have reached the limit of",
  },
  targetBytesMax: { status: 414, reason: "URI Too Long", what: "The path with its query is longer than the limit of" },
  headBytesMax: {
    status: 431,
    reason: "Request Header Fields Too Large",
    what: "The target and the headers of the request are larger than the limit of",
  },
  headersMax: {
    status: 431,
    reason: "Request Header Fields Too Large",
    what: "The request has more headers and trailers than the limit of",
  },
  headTimeoutMs: {
    status: 408,
    reason: "Request Timeout",
    what: "The head of the request did not arrive within the limit of",
  },
  requestTimeoutMs: {
    status: 408,
    reason: "Request Timeout",
    what: "The request did not arrive completely within the limit of",
  },
  connectionsMax: {
    status: 503,
    reason: "Service Unavailable",
    what: "The number of open connections has reached the limit of",
  },
  requestsWaitingMax: {
    status: 503,
    reason: "Service Unavailable",
    what: "The number of requests of this connection that wait for a response exceeds the limit of",
  },
};

function badRequest(problem: string): RequestRefusal {
  return { status: 400, reason: "Bad Request", text: `Malformed HTTP request: ${problem}.` };
}

/** The refusal for an error of Node's parser or a timeout; undefined for data after the end of a closed connection. */
export function refusalOfError(
  error: Error & { readonly code?: unknown },
  isHeadWhole: boolean,
  limits: CountedLimits,
  foreign: RequestRefusal | undefined,
): RequestRefusal | undefined {
  switch (error.code) {
    case "HPE_CLOSED_CONNECTION":
      return undefined;
    case "HPE_HEADER_OVERFLOW":
      return beyond(limits, "headBytesMax");
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      limits.noteMalformed();
      return {
        status: 413,
        reason: "Content Too Large",
        text: "The extensions of a chunk are larger than 16384 bytes.",
      };
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return beyond(limits, isHeadWhole ? "requestTimeoutMs" : "headTimeoutMs");
    default:
      limits.noteMalformed();
      // The parser has the same code for a line that ends without a carriage return.
      if (error.message.endsWith("Invalid HTTP version")) return versionRefused;
      return foreign ?? badRequest(reasonOf(error));
  }
}

function reasonOf(error: Error & { readonly code?: unknown }): string {
  const reason = error.message.replace(/^Parse Error: /, "").replace(/\.$/, "");
  return `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
}

import type { RequestRefusal } from "./connection.ts";

/** An error of Node's parser or of TLS, with the bytes that it read last, and their number before the error. */
type ParserError = Error & { readonly code?: unknown; readonly rawPacket?: unknown; readonly bytesParsed?: unknown };

// Evidence: Pekko HTTP, HttpRequestParser (source): 501 for an unknown method, such as PRI; 400 for a longer one, and for TLS.
const notImplemented = { status: 501, reason: "Not Implemented" };
const malformed = { status: 400, reason: "Bad Request" };

/** Characters of the longest method that is 501. */
const methodMax = 15;

const http2: RequestRefusal = {
  ...notImplemented,
  text: "HTTP/2 is not supported, and so no gRPC: the connection began with the preface of HTTP/2. Use the JSON API over HTTP/1.1.",
};

const plainHttp: RequestRefusal = {
  ...malformed,
  text: "The client sent http, and this port serves https. Use https:// in the URL.",
};

/** Other protocols by the bytes, as characters, with which they begin. */
const protocols: readonly (readonly [beginnings: readonly string[], text: string])[] = [
  [
    ["\x16\x03"],
    "The client began a TLS handshake, and this port serves http. Use http:// in the URL, or start the server with --tls-cert and --tls-key.",
  ],
  [
    ["\x05\x01", "\x05\x02", "\x05\x03", "\x04\x01", "\x04\x02"],
    "The client speaks SOCKS, and this server is not a proxy. Remove it from the proxy settings of the client.",
  ],
  [
    ["PROXY TCP4 ", "PROXY TCP6 ", "PROXY UNKNOWN", "\0\r\nQUIT\n"],
    "The connection began with the PROXY protocol of a load balancer, which is not supported. Turn it off.",
  ],
];

/**
 * Returns a function that recognizes the input of an error; undefined for a malformed request. The clients of other protocols
 * may not show a response of HTTP/1.1, so the refusal of each is also given to `onOtherProtocol`, once.
 */
export function foreignInputs(
  onOtherProtocol?: (text: string) => void,
): (error: ParserError) => RequestRefusal | undefined {
  const named = new Set<string>();
  return (error) => {
    const other = otherProtocol(error);
    if (other === undefined) return unknownMethod(error);
    if (!named.has(other.text)) onOtherProtocol?.(other.text);
    named.add(other.text);
    return other;
  };
}

function otherProtocol(error: ParserError): RequestRefusal | undefined {
  if (error.code === "HPE_PAUSED_H2_UPGRADE") return http2;
  if (error.code === "ERR_SSL_HTTP_REQUEST") return plainHttp;
  const line = lineOf(error);
  const found = protocols.find(([beginnings]) => beginnings.some((beginning) => line.startsWith(beginning)));
  return found === undefined ? undefined : { ...malformed, text: found[1] };
}

function unknownMethod(error: ParserError): RequestRefusal | undefined {
  const method = /^([!#$%&'*+.^_`|~\w-]+) [^ \r\n]+ HTTP\/1\.[01]\r?\n/.exec(lineOf(error))?.[1];
  if (method === undefined) return undefined;
  const status = method.length > methodMax ? malformed : notImplemented;
  return { ...status, text: `Unsupported HTTP method: ${method.slice(0, 40)}.` };
}

/** The beginning of the input whose method is invalid, as characters. Valid requests may precede it. */
function lineOf({ code, rawPacket, bytesParsed }: ParserError): string {
  if (code !== "HPE_INVALID_METHOD" || !(rawPacket instanceof Uint8Array)) return "";
  const begin = rawPacket.lastIndexOf(0x0a, Math.max(0, Number(bytesParsed) - 1)) + 1;
  return String.fromCharCode(...rawPacket.subarray(begin, begin + 512));
}

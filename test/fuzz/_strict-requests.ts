/** Requests that a strict reader finds in bytes, and how many responses they may get: one more where the rest is no request. */
export interface StrictRequests {
  readonly requests: readonly { readonly method: string; readonly target: string }[];
  readonly responsesMax: number;
}

/**
 * Reads bytes by the letter of RFC 9112, and stops at the first thing that it does not allow. A server that finds more
 * requests than this reader reads messages otherwise than others do, which is what smuggling lives on.
 */
export function strictRequestsIn(bytes: string): StrictRequests {
  const requests: { method: string; target: string }[] = [];
  let rest = bytes;
  for (;;) {
    rest = rest.replace(/^[\r\n]+/, "");
    if (rest === "") return { requests, responsesMax: requests.length };
    const head = headOf(rest);
    const after = head === undefined ? undefined : afterBody(rest.slice(head.length), head);
    if (head === undefined || after === undefined) return { requests, responsesMax: requests.length + 1 };
    requests.push({ method: head.method, target: head.target });
    if (head.isLast) return { requests, responsesMax: requests.length };
    rest = after;
  }
}

interface StrictHead {
  readonly method: string;
  readonly target: string;
  readonly length: number;
  readonly isLast: boolean;
  readonly bodyLength: number;
  readonly isChunked: boolean;
}

/** Node takes RTSP and ICE for HTTP, and several spaces for one, which leaves no doubt where a message ends. */
function headOf(bytes: string): StrictHead | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  const [line = "", ...fields] = bytes.slice(0, Math.max(0, end)).split("\r\n");
  const [, method = "", target = "", minor] = /^([A-Z-]+) +([!-~]+) +(?:HTTP|RTSP|ICE)\/1\.([01])$/.exec(line) ?? [];
  if (end < 0 || method === "" || method === "CONNECT") return undefined;
  if (!fields.every((field) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t -~\x80-\xff]*$/.test(field))) return undefined;
  const valuesOf = (name: string) =>
    fields
      .filter((field) => field.toLowerCase().startsWith(`${name}:`))
      .flatMap((field) =>
        field
          .slice(name.length + 1)
          .toLowerCase()
          .split(name === "connection" ? "," : "\n"),
      )
      // A byte of another character set is no space: a reader must not take what follows it for the value.
      .map((value) => value.replaceAll(/^[\t ]+|[\t ]+$/g, ""));
  const [lengths, encodings, connections] = [
    valuesOf("content-length"),
    valuesOf("transfer-encoding"),
    valuesOf("connection"),
  ];
  const isFramed = lengths.length + encodings.length <= 1 && lengths.every((length) => /^\d{1,15}$/.test(length));
  if (!isFramed || encodings.some((encoding) => encoding !== "chunked" || minor === "0")) return undefined;
  if (valuesOf("host").length > 1 || (valuesOf("host").length === 0 && minor === "1")) return undefined;
  const isLast = connections.includes("close") || (minor === "0" && !connections.includes("keep-alive"));
  return {
    method,
    target,
    length: end + 4,
    isLast,
    bodyLength: Number(lengths[0] ?? 0),
    isChunked: encodings.length === 1,
  };
}

/** What follows the body; undefined where it is not there whole. */
function afterBody(bytes: string, { isChunked, bodyLength }: StrictHead): string | undefined {
  if (!isChunked) return bytes.length < bodyLength ? undefined : bytes.slice(bodyLength);
  for (let rest = bytes; ; ) {
    const size = /^0*([0-9a-fA-F]{1,8})(?:;[\t -~\x80-\xff]*)?\r\n/.exec(rest);
    if (size === null) return undefined;
    const length = Number.parseInt(size[1] ?? "", 16);
    rest = rest.slice(size[0].length);
    if (length === 0) {
      const trailers = /^(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t -~\x80-\xff]*\r\n)*\r\n/.exec(rest);
      return trailers === null ? undefined : rest.slice(trailers[0].length);
    }
    if (rest.slice(length, length + 2) !== "\r\n") return undefined;
    rest = rest.slice(length + 2);
  }
}

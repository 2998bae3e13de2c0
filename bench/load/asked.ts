/** A request as all servers get it. */
export interface Requested {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

/** A response as the first request of a case gets it. */
export interface Responded {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

export function headersOf({ body }: Requested): Readonly<Record<string, string>> {
  return { Authorization: "Bearer any", ...(body === undefined ? {} : { "Content-Type": "application/json" }) };
}

/** The bytes of a request on a connection that stays open. */
export function bytesOf(requested: Requested): string {
  const { method, path, body } = requested;
  const headers = Object.entries({ Host: "127.0.0.1", ...headersOf(requested) });
  const length = body === undefined ? [] : [["Content-Length", String(Buffer.byteLength(body))]];
  const lines = [...headers, ...length].map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`;
}

export async function ask(url: string, requested: Requested): Promise<Responded> {
  const { method, path, body } = requested;
  const response = await fetch(url + path, {
    method,
    headers: headersOf(requested),
    ...(body === undefined ? {} : { body }),
  });
  return {
    status: response.status,
    contentType: response.headers.get("content-type") ?? "",
    text: await response.text(),
  };
}

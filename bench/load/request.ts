/** A request, the same for all servers. */
export interface LoadRequest {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  /** Body as JSON text. */
  readonly body?: string;
}

/** The response to a request. */
export interface LoadResponse {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

export function headersOf({ body }: LoadRequest): Readonly<Record<string, string>> {
  return { Authorization: "Bearer any", ...(body === undefined ? {} : { "Content-Type": "application/json" }) };
}

/** The text of a request on a persistent connection. */
export function bytesOf(request: LoadRequest): string {
  const { method, path, body } = request;
  const headers = Object.entries({ Host: "127.0.0.1", ...headersOf(request) });
  const length = body === undefined ? [] : [["Content-Length", String(Buffer.byteLength(body))]];
  const lines = [...headers, ...length].map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`;
}

export async function ask(url: string, request: LoadRequest): Promise<LoadResponse> {
  const { method, path, body } = request;
  const response = await fetch(url + path, {
    method,
    headers: headersOf(request),
    ...(body === undefined ? {} : { body }),
  });
  return {
    status: response.status,
    contentType: response.headers.get("content-type") ?? "",
    text: await response.text(),
  };
}

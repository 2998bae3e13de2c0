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

export const firstPage: LoadRequest = { method: "GET", path: "/v2/users?pageSize=10" };

export function post(path: string, body: object): LoadRequest {
  return { method: "POST", path, body: JSON.stringify(body) };
}

/** A registry gets no token: the one of the ledger would be a finding of the client rules at each request. */
export function headersOf({ path, body }: LoadRequest): Readonly<Record<string, string>> {
  const token = path.startsWith("/registry/") ? {} : { Authorization: "Bearer any" };
  return { ...token, ...(body === undefined ? {} : { "Content-Type": "application/json" }) };
}

/** The text of a request on a persistent connection. */
export function bytesOf(request: LoadRequest): string {
  const { method, path, body } = request;
  const headers = Object.entries({ Host: "127.0.0.1", ...headersOf(request) });
  const length = body === undefined ? [] : [["Content-Length", String(Buffer.byteLength(body))]];
  const lines = [...headers, ...length].map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`;
}

/** Sends requests as `fetch` does: over a socket, or in the process. */
export type Fetch = (path: string, options: RequestInit) => Promise<Response>;

export function fetchAt(url: string): Fetch {
  return (path, options) => fetch(url + path, options);
}

export async function ask(send: Fetch, request: LoadRequest): Promise<LoadResponse> {
  const { method, path, body } = request;
  const response = await send(path, { method, headers: headersOf(request), ...(body === undefined ? {} : { body }) });
  const contentType = response.headers.get("content-type") ?? "";
  return { status: response.status, contentType, text: await response.text() };
}

/** The JSON of a successful response; anything else is thrown. */
export async function askJson(send: Fetch, request: LoadRequest): Promise<ReturnType<typeof JSON.parse>> {
  const { status, text } = await ask(send, request);
  if (status !== 200) throw new Error(`${request.path} returned ${status}: ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

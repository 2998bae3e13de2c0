/** A request as all servers get it. */
export interface Asked {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

/** An answer as the first request of a case gets it. */
export interface Answered {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

export function headersOf({ body }: Asked): Readonly<Record<string, string>> {
  return { Authorization: "Bearer any", ...(body === undefined ? {} : { "Content-Type": "application/json" }) };
}

/** The bytes of a request on a connection that stays open. */
export function bytesOf(asked: Asked): string {
  const { method, path, body } = asked;
  const headers = Object.entries({ Host: "127.0.0.1", ...headersOf(asked) });
  const length = body === undefined ? [] : [["Content-Length", String(Buffer.byteLength(body))]];
  const lines = [...headers, ...length].map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`;
}

export async function ask(url: string, asked: Asked): Promise<Answered> {
  const { method, path, body } = asked;
  const answer = await fetch(url + path, {
    method,
    headers: headersOf(asked),
    ...(body === undefined ? {} : { body }),
  });
  return {
    status: answer.status,
    contentType: answer.headers.get("content-type") ?? "",
    text: await answer.text(),
  };
}

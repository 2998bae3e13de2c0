import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";

export interface RawResponse {
  readonly status: number;
  readonly body: string;
}

/** Sends pieces of text over one connection, one write each, and returns all responses until the server closes it. */
export async function overOneConnection(url: string, pieces: Iterable<string>): Promise<readonly RawResponse[]> {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", noDelay: true });
  const ended = once(socket, "close");
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk) => {
    text += String(chunk);
  });
  for (const piece of pieces) {
    await new Promise((resolve) => socket.write(piece, resolve));
    await setImmediate();
  }
  await ended;
  return responsesIn(text);
}

export interface RawRequest {
  /** Further header lines, each with its end. */
  readonly headers?: string;
  readonly isLast?: boolean;
}

/** The text of a request; the last one of a connection ends it. */
export function requestText(line: string, { headers = "", isLast = false }: RawRequest = {}): string {
  const end = isLast ? "Connection: close\r\n" : "";
  return `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer any\r\n${headers}${end}\r\n`;
}

function responsesIn(text: string): readonly RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = text; rest !== ""; ) {
    const head = /^HTTP\/1\.1 (\d+).*?\r\n\r\n/s.exec(rest);
    if (head === null) throw new Error(`no response: ${JSON.stringify(rest.slice(0, 200))}`);
    const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head[0])?.[1] ?? 0);
    responses.push({ status: Number(head[1]), body: rest.slice(head[0].length, head[0].length + length) });
    rest = rest.slice(head[0].length + length);
  }
  return responses;
}

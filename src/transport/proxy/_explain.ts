import type { ServerResponse } from "node:http";

/** Sends a response of the proxy itself. The header `Understudy-Reason` distinguishes it from responses of the target. */
export function explain(outgoing: ServerResponse, status: number, reason: string): void {
  const sentence = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.\n`;
  outgoing.writeHead(status, {
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Length": Buffer.byteLength(sentence),
    "Understudy-Reason": reason,
  });
  outgoing.end(sentence);
}

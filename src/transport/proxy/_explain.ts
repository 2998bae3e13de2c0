import type { ServerResponse } from "node:http";

/** A response of our own in one sentence, with a header that tells it from the target's. */
export function explain(outgoing: ServerResponse, status: number, reason: string): void {
  const sentence = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.\n`;
  outgoing.writeHead(status, {
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Length": Buffer.byteLength(sentence),
    "Understudy-Reason": reason,
  });
  outgoing.end(sentence);
}

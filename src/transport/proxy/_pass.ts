import type { IncomingMessage, OutgoingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { headerPairs } from "../../foundation/http/header.ts";

/** Forwards bytes with backpressure. A chunk for which `isForwarded` returns false is held back. */
export function pass(from: IncomingMessage, to: OutgoingMessage, isForwarded: (chunk: Uint8Array) => boolean): void {
  from.on("data", (chunk: Uint8Array) => {
    if (!isForwarded(chunk) || to.destroyed) return;
    if (!to.write(chunk)) from.pause();
  });
  to.on("drain", () => from.resume());
}

/** Forwards the trailer fields of a chunked body. */
export function passTrailers(from: IncomingMessage, to: OutgoingMessage): void {
  const trailers = headerPairs(from.rawTrailers);
  if (trailers.length > 0) to.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]));
}

/** Connects two sockets until either ends. */
export function join(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on("error", () => to.destroy());
    from.once("close", () => to.destroy());
    from.pipe(to);
  }
}

import { connect, createServer, type Server } from "node:net";
import type { Handler } from "../../src/foundation/http/handler.ts";
import { CountedLimits } from "../../src/foundation/limits/counted-limits.ts";
import type { LimitName } from "../../src/foundation/limits/limits.ts";
import { type RecordingLimits, recordingLimits } from "../../src/recordings/har/recording-limits.ts";

/** Faults of earlier versions, put back around what is tested: `npm run fuzz -- --kind json --fault uncounted-values`. */
export type Fault =
  | "deep-pattern"
  | "lost-after-upgrade"
  | "object-per-chunk"
  | "unbounded-decompression"
  | "unbounded-numbers"
  | "uncounted-fields"
  | "uncounted-values";

/** The kinds of input that find each fault. */
export const kindsByFault: Readonly<Record<Fault, readonly string[]>> = {
  "deep-pattern": ["json"],
  "lost-after-upgrade": ["http"],
  "object-per-chunk": ["http"],
  "unbounded-decompression": ["har"],
  "unbounded-numbers": ["json"],
  "uncounted-fields": ["protobuf"],
  "uncounted-values": ["json"],
};

const unbounded: Readonly<Partial<Record<Fault, LimitName>>> = {
  "uncounted-fields": "protobufFieldsMax",
  "uncounted-values": "jsonValuesMax",
};

/** Limits without the one that the fault lacks. */
export function limitsWith(fault: Fault | undefined): CountedLimits {
  const name = fault === undefined ? undefined : unbounded[fault];
  return new CountedLimits(name === undefined ? {} : { [name]: Number.POSITIVE_INFINITY });
}

/** Limits of recordings; with the fault, without those of decoded bodies. */
export function limitsOfRecordings(fault: Fault | undefined): RecordingLimits {
  if (fault !== "unbounded-decompression") return recordingLimits;
  const none = Number.MAX_SAFE_INTEGER;
  return { ...recordingLimits, recordedBodyBytesMax: none, compressionRatioMax: none };
}

/**
 * The handler; with a fault, one that reads integers before it counts their digits, or compares texts with a pattern that
 * needs a frame of the stack for each group.
 */
export function handlerWith(fault: Fault | undefined, handler: Handler): Handler {
  if (fault !== "deep-pattern" && fault !== "unbounded-numbers") return handler;
  return (request) => {
    const text = request.body.text();
    if (fault === "unbounded-numbers") for (const [digits] of text.matchAll(/\d[0-9]*/g)) BigInt(digits);
    else for (const [base64] of text.matchAll(/[A-Za-z0-9+/]+/g)) /^(?:[A-Za-z0-9+/]{4})*={0,2}$/.test(base64);
    return handler(request);
  };
}

/** A relay in front of a server that loses bytes after an upgrade, or holds an object for each chunk; its port. */
export async function relayWith(
  fault: Fault,
  port: number,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const held: Uint8Array[] = [];
    client.on("data", (segment) => {
      const bytes = Buffer.from(segment);
      if (fault === "object-per-chunk") held.push(...chunksIn(bytes));
      target.write(fault === "lost-after-upgrade" ? withoutLost(bytes) : bytes);
    });
    client.on("end", () => target.end());
    target.on("data", (segment) => client.write(segment));
    target.on("end", () => client.end());
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        other.destroy();
        held.length = 0;
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("invariant: the relay has a port");
  return { server, port: address.port };
}

function chunksIn(bytes: Buffer): readonly Uint8Array[] {
  return [...bytes.toString("latin1").matchAll(/\r\n/g)].map(({ index }) => bytes.subarray(index, index + 1));
}

function withoutLost(bytes: Buffer): Uint8Array {
  const text = bytes.toString("latin1");
  const at = text.search(/\r\nconnection: upgrade/i);
  const end = at < 0 ? -1 : text.indexOf("\r\n\r\n", at);
  return end < 0 ? bytes : bytes.subarray(0, end + 4);
}

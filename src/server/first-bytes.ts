import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { CountedLimits } from "../limits/counted-limits.ts";
import { messageOf, type Refusal } from "./connection.ts";
import { beyond } from "./refusals.ts";

export interface FirstBytesSettings {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** As many bytes as a head may have are read before a connection is handed on, and for as long as one may take to come. */
  readonly limits: CountedLimits;
  /** Whether the bytes say where the connection belongs; left out where nothing can be read of them. */
  readonly isEnough?: ((bytes: Uint8Array) => boolean) | undefined;
  /** Told where a connection is refused since too many wait. */
  readonly onCrowded?: (() => void) | undefined;
  /** Told where the system accepts no connection. */
  readonly onUnaccepted?: ((error: Error) => void) | undefined;
  /** Takes the connection, with what has been read of it; nothing more will be read here. */
  readonly hand: (socket: Socket, bytes: Uint8Array) => void;
}

/** A listening server that answers nothing itself. */
export interface Doorkeeper {
  readonly port: number;
  /** Takes no more connections, and drops those that have not said enough. */
  close(): void;
}

/** Accepts connections for others to serve. Rejects with the system's error when the port is taken. */
export function acceptConnections(settings: FirstBytesSettings): Promise<Doorkeeper> {
  const waiting = new Set<Socket>();
  // Node stops reading where its buffer is full, and one byte fills this one.
  const options = {
    highWaterMark: 1,
    allowHalfOpen: true,
    noDelay: true,
    pauseOnConnect: settings.isEnough === undefined,
  };
  const server = createServer(options, (socket) => {
    // A client that goes away before it has said anything is nobody's fault.
    socket.on("error", () => socket.destroy());
    if (waiting.size >= settings.limits.values.connectionsMax) {
      refuse(socket, beyond(settings.limits, "connectionsMax"));
      settings.onCrowded?.();
      return;
    }
    if (settings.isEnough === undefined) settings.hand(socket, new Uint8Array());
    else read(socket, settings.isEnough, settings, waiting);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.port, settings.host, () => {
      server.off("error", reject);
      server.on("error", (error) => settings.onUnaccepted?.(error));
      resolve(doorkeeper(server, waiting));
    });
  });
}

function read(
  socket: Socket,
  isEnough: (bytes: Uint8Array) => boolean,
  { hand, limits }: FirstBytesSettings,
  waiting: Set<Socket>,
): void {
  let bytes: Buffer = Buffer.alloc(0);
  const deadline = setTimeout(() => {
    socket.off("data", take);
    socket.off("end", handOn);
    refuse(socket, beyond(limits, "headTimeoutMs"));
  }, limits.values.headTimeoutMs);
  const forget = (): void => {
    clearTimeout(deadline);
    waiting.delete(socket);
  };
  const handOn = (): void => {
    forget();
    socket.off("data", take);
    socket.off("end", handOn);
    // Not before Node has seen that it is to stop reading.
    queueMicrotask(() => hand(socket, bytes));
  };
  const take = (chunk: Buffer): void => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    if (bytes.length < limits.values.headBytesMax && !isEnough(bytes)) return;
    socket.pause();
    // What lies in its buffer keeps Node from reading more, which would be lost on the way.
    socket.unshift(chunk);
    handOn();
  };
  waiting.add(socket);
  socket.on("data", take);
  socket.on("end", handOn);
  socket.once("close", forget);
}

function refuse(socket: Socket, refusal: Refusal): void {
  socket.end(messageOf(refusal));
  socket.destroySoon();
}

function doorkeeper(server: Server, waiting: ReadonlySet<Socket>): Doorkeeper {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("invariant: a listening server has a port");
  return {
    port: address.port,
    close: () => {
      server.close();
      for (const socket of waiting) socket.destroy();
    },
  };
}

import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** Resets a connection. Node cannot reset one with TLS, which is closed without the end of its stream instead. */
export function resetSocket(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

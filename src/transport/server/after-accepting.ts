import type { Server } from "node:net";

/**
 * Calls `run` when no connection waits to be accepted, or after `msMax`: the system resets waiting connections when a
 * server stops listening. A turn of the event loop accepts one connection, so a turn without one shows that none waits.
 */
export function afterAccepting(server: Server, msMax: number, run: () => void): void {
  const untilMs = performance.now() + msMax;
  let hasAccepted = false;
  const note = () => {
    hasAccepted = true;
  };
  const look = () => {
    if (hasAccepted && performance.now() < untilMs) wait();
    else {
      server.off("connection", note);
      run();
    }
  };
  const wait = () => {
    hasAccepted = false;
    // A whole turn: connections are accepted between the two.
    setImmediate(setImmediate, look);
  };
  server.on("connection", note);
  wait();
}

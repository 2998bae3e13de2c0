import type { ServerResponse } from "node:http";
import { type Piece, piecesOf, type Transmission, transmissionMsMax } from "../../foundation/http/transmission.ts";
import { resetSocket } from "./reset-socket.ts";

/** Calls `run` after a time; gives a function that cancels it. */
export type Wait = (durationMs: number, run: () => void) => () => void;

const inRealTime: Wait = (durationMs, run) => {
  const timer = setTimeout(run, durationMs);
  return () => clearTimeout(timer);
};

/** A body with its network faults. The connection breaks off after an incomplete one. */
interface Transmitted {
  readonly body: Uint8Array;
  readonly transmission: Transmission;
  readonly isComplete: boolean;
}

/** Sends bodies with network faults, after their heads. A wait ends with its connection, and when the server closes. */
export class Transmitter {
  readonly #wait: Wait;
  readonly #running = new Set<RunningTransmission>();
  #isHurried = false;

  constructor(wait: Wait = inRealTime) {
    this.#wait = wait;
  }

  send(outgoing: ServerResponse, transmitted: Transmitted): void {
    // A pipelined response has no socket until the responses before it are sent.
    if (outgoing.socket !== null) this.#start(outgoing, transmitted);
    else outgoing.once("socket", () => this.#start(outgoing, transmitted));
  }

  #start(outgoing: ServerResponse, transmitted: Transmitted): void {
    const { socket } = outgoing.req;
    if (socket.destroyed) return;
    const running = new RunningTransmission(outgoing, transmitted, this.#wait);
    this.#running.add(running);
    const stop = () => {
      running.stop();
      this.#running.delete(running);
    };
    outgoing.once("close", () => {
      if (running.isWaiting && !socket.destroyed) socket.once("close", stop);
      else stop();
    });
    if (this.#isHurried) running.hurry();
    running.start();
  }

  /** Ends all waits, also those of later transmissions: the rest of each body is sent at once. */
  hurry(): void {
    this.#isHurried = true;
    for (const running of this.#running) running.hurry();
  }
}

/** A body that is being sent. At most one wait is pending. */
class RunningTransmission {
  readonly #outgoing: ServerResponse;
  readonly #transmitted: Transmitted;
  readonly #wait: Wait;
  readonly #pieces: Iterator<Piece, void>;
  #sentBytes = 0;
  #waitedMs = 0;
  #pending: { readonly run: () => void; readonly cancel: () => void } | undefined;
  #isHurried = false;

  constructor(outgoing: ServerResponse, transmitted: Transmitted, wait: Wait) {
    this.#outgoing = outgoing;
    this.#transmitted = transmitted;
    this.#wait = wait;
    const hasBody = outgoing.req.method !== "HEAD";
    this.#pieces = piecesOf(hasBody ? transmitted.body : new Uint8Array(), transmitted.transmission);
  }

  get isWaiting(): boolean {
    return this.#pending !== undefined;
  }

  start(): void {
    this.#outgoing.flushHeaders();
    this.#sendNext();
  }

  /** Ends the pending wait and runs what follows it. */
  hurry(): void {
    this.#isHurried = true;
    const pending = this.#pending;
    this.stop();
    pending?.run();
  }

  /** Cancels the pending wait. */
  stop(): void {
    this.#pending?.cancel();
    this.#pending = undefined;
  }

  #sendNext(): void {
    if (this.#outgoing.destroyed) return;
    const next = this.#pieces.next();
    if (next.done === true) this.#end();
    else this.#after(next.value.waitMs, () => this.#write(next.value.bytes));
  }

  /** A piece follows when the one before it is in the hands of the operating system, so a slow client slows the sender. */
  #write(piece: Uint8Array): void {
    const { body } = this.#transmitted;
    const bytes = this.#isHurried ? body.subarray(this.#sentBytes) : piece;
    this.#sentBytes += bytes.length;
    this.#outgoing.write(bytes, (error) => {
      if (error != null) return;
      if (this.#sentBytes < body.length) this.#sendNext();
      else this.#end();
    });
  }

  #after(durationMs: number, run: () => void): void {
    this.#waitedMs += durationMs;
    if (this.#isHurried || durationMs === 0) run();
    else if (this.#waitedMs > transmissionMsMax) this.#outgoing.req.socket.destroy();
    else {
      const cancel = this.#wait(durationMs, () => {
        this.#pending = undefined;
        run();
      });
      this.#pending = { run, cancel };
    }
  }

  #end(): void {
    const { socket } = this.#outgoing.req;
    const { transmission, isComplete } = this.#transmitted;
    // The callback runs when all bytes before are in the hands of the operating system.
    if (!isComplete) socket.write("", () => (transmission.isReset === true ? resetSocket(socket) : socket.destroy()));
    else {
      const close = socket.destroySoon.bind(socket);
      const { slowCloseMs } = transmission;
      // Node calls this after a response that ends its connection.
      if (slowCloseMs !== undefined)
        socket.destroySoon = () => {
          socket.setTimeout(0);
          this.#after(slowCloseMs, close);
        };
      this.#outgoing.end();
    }
  }
}

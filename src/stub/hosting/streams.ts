import { emptyBody } from "../../foundation/http/body.ts";
import type {
  MessageReceiver,
  MessageStream,
  StreamOpener,
  StreamOpening,
} from "../../foundation/http/message-stream.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { BegunStream, OfferedStream } from "../pipeline/stream.ts";
import type { VerifiedToken } from "../tokens/verify-token.ts";
import type { HostedWorld } from "./hosted-world.ts";
import type { Hosting } from "./hosting.ts";
import { addressed, unknownWorld } from "./world-id.ts";

/** The sub-protocol that a node names, whether a client asks for it or not (Canton 3.5, Endpoints.scala). */
const protocol = "daml.ws.auth";

/** When checkpoints are sent: soon after the start, and so often that an idle connection does not end (Canton 3.5, source). */
const firstCheckpointMs = 500;
const checkpointMs = 45_000;

/** Runs a function later, or again and again; gives a function that stops it. */
export interface Timers {
  after(durationMs: number, run: () => void): () => void;
  every(durationMs: number, run: () => void): () => void;
}

/** Opens the streams of hosted worlds. A stream sends what its world has, and then what changes. */
export function streamOpener(hosting: Hosting, timers: Timers): StreamOpener {
  return (head) => {
    const outer = { ...head, body: emptyBody };
    const { id, inner } = addressed(outer);
    const { kept } = hosting;
    const hosted = hosting.worlds.get(id);
    if (kept === undefined || kept.isHere(hosted) !== false) return openedIn(hosted, id, inner, outer);
    return kept
      .take(id)
      .then((refused) =>
        refused === undefined
          ? openedIn(hosting.worlds.get(id), id, inner, outer)
          : { type: "refused", response: refused },
      );
  };

  function openedIn(
    hosted: HostedWorld | undefined,
    id: string,
    request: Request,
    outer: Request,
  ): StreamOpening | Promise<StreamOpening> {
    if (hosted === undefined) return { type: "refused", response: unknownWorld(id) };
    const opened = (verified: VerifiedToken | undefined): StreamOpening => {
      hosted.world.elapse();
      const offered: OfferedStream = hosted.streams?.(request, verified) ?? { type: "none" };
      if (offered.type === "none") return undefined;
      if (offered.type === "refused") {
        hosting.noteRefused(outer, offered.response);
        return offered;
      }
      return { type: "accepted", stream: new WorldStream(hosting, hosted, id, offered.begin, timers) };
    };
    return hosting.auth === "jwt" ? hosting.verified(request, hosted).then(opened) : opened(undefined);
  }
}

class WorldStream implements MessageStream {
  readonly protocol = protocol;
  readonly #hosting: Hosting;
  readonly #hosted: HostedWorld;
  readonly #id: string;
  readonly #begin: (message: string | undefined) => BegunStream;
  readonly #timers: Timers;
  readonly #stops: (() => void)[] = [];

  constructor(
    hosting: Hosting,
    hosted: HostedWorld,
    id: string,
    begin: (message: string | undefined) => BegunStream,
    timers: Timers,
  ) {
    this.#hosting = hosting;
    this.#hosted = hosted;
    this.#id = id;
    this.#begin = begin;
    this.#timers = timers;
  }

  begin(message: string | undefined, receiver: MessageReceiver): void {
    const begun = this.#begin(message);
    if (begun.type === "failed") {
      receiver.send(begun.message);
      receiver.close();
      return;
    }
    const isThere = this.#send(begun, receiver);
    if (begun.isFinite) receiver.close();
    if (begun.isFinite || !isThere) return;
    const point = () => {
      // An update may be in the state before its request is noted: the checkpoint comes after it.
      if (!this.#send(begun, receiver)) return this.end();
      const checkpoint = begun.checkpoint();
      if (checkpoint !== undefined) receiver.send(checkpoint);
    };
    this.#stops.push(
      this.#hosting.observe((changed) => {
        if (changed === this.#id && !this.#sendSafely(begun, receiver)) this.end();
      }),
      this.#timers.after(firstCheckpointMs, point),
      this.#timers.every(checkpointMs, point),
    );
  }

  end(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  /** As `#send`; a fault ends the stream alone, and not the request that changed the world. */
  #sendSafely(begun: Extract<BegunStream, { readonly type: "begun" }>, receiver: MessageReceiver): boolean {
    try {
      return this.#send(begun, receiver);
    } catch {
      receiver.cut();
      return false;
    }
  }

  /** Sends what is new. The connection of a world that was removed or reset ends. */
  #send(begun: Extract<BegunStream, { readonly type: "begun" }>, receiver: MessageReceiver): boolean {
    const messages = this.#hosting.worlds.get(this.#id) === this.#hosted ? begun.read() : undefined;
    if (messages === undefined) receiver.cut();
    for (const text of messages ?? []) receiver.send(text);
    return messages !== undefined;
  }
}

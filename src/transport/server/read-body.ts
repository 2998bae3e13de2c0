import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { Body, emptyBody } from "../../foundation/http/body.ts";
import { type ByteBudget, GrowingBytes } from "../../foundation/http/growing-bytes.ts";

/** Where a body is held while it arrives or waits: a connection with its budget. */
export interface BodyHolder extends ByteBudget {
  /** Registers a function that frees a body if the connection ends before. */
  onClose(drop: () => void): void;
  offClose(drop: () => void): void;
}

interface BodyReading {
  /** The announced length; undefined if it is not known. */
  readonly length: number | undefined;
  readonly bytesMax: number;
  readonly holder: BodyHolder;
  /** Whether a complete body is used at once. A body that waits is copied, since it would keep the buffers of its socket. */
  readonly isUsedAtOnce: () => boolean;
  /** Called with the complete body. Call `take` of the reader once to use it, or `drop`. */
  readonly onBody: (reader: BodyReader) => void;
  /** Called once instead of `onBody`: the body is larger than `bytesMax`, or than the rest of the budget. */
  readonly onRefused: (limit: "bodyBytesMax" | "bufferedBytesMax") => void;
}

/** Reads a body. Most bodies arrive in one part; only others are copied. */
export function readBody(incoming: IncomingMessage, reading: BodyReading): void {
  const reader = new BodyReader(reading);
  incoming.on("data", (chunk: Uint8Array) => reader.add(chunk));
  incoming.on("end", () => reader.end());
  // Without a listener, a client error would end the process.
  incoming.on("error", ignore);
}

function ignore(): void {}

class BodyReader {
  readonly #reading: BodyReading;
  #length = 0;
  /** The whole body, if it arrived in one part. */
  #whole: Uint8Array | undefined;
  #copy: GrowingBytes | undefined;
  #isIgnored = false;
  #onClose: (() => void) | undefined;

  constructor(reading: BodyReading) {
    this.#reading = reading;
  }

  add(chunk: Uint8Array): void {
    if (this.#isIgnored) return;
    this.#length += chunk.length;
    if (this.#length > this.#reading.bytesMax) this.#refuse("bodyBytesMax");
    else if (chunk.length === this.#reading.length) this.#whole = chunk;
    else this.#keep(chunk);
  }

  end(): void {
    const whole = this.#whole;
    if (whole !== undefined && !this.#reading.isUsedAtOnce()) {
      this.#whole = undefined;
      this.#keep(whole);
    }
    if (!this.#isIgnored) this.#reading.onBody(this);
  }

  /** Decodes the body and frees its buffer. */
  take(): Body {
    const body = bodyOf(this.#whole ?? this.#copy?.bytes ?? noBytes);
    this.drop();
    return body;
  }

  /** Frees the buffer. */
  drop(): void {
    this.#whole = undefined;
    if (this.#copy === undefined) return;
    this.#copy.release();
    this.#copy = undefined;
    if (this.#onClose !== undefined) this.#reading.holder.offClose(this.#onClose);
  }

  #keep(chunk: Uint8Array): void {
    const { holder, length, bytesMax } = this.#reading;
    if (this.#copy === undefined) {
      this.#copy = new GrowingBytes(holder, length ?? bytesMax);
      this.#onClose = () => {
        this.#isIgnored = true;
        this.drop();
      };
      holder.onClose(this.#onClose);
    }
    if (!this.#copy.add(chunk)) this.#refuse("bufferedBytesMax");
  }

  #refuse(limit: "bodyBytesMax" | "bufferedBytesMax"): void {
    this.#isIgnored = true;
    this.drop();
    this.#reading.onRefused(limit);
  }
}

const noBytes = new Uint8Array(0);

const byteOrderMark = 0xef;

/** Keeps the body as text if possible, which is smaller than bytes. A byte order mark is kept as bytes, since decoding drops it. */
function bodyOf(bytes: Uint8Array): Body {
  if (bytes.length === 0) return emptyBody;
  const isText = bytes[0] !== byteOrderMark && isUtf8(bytes);
  // The bytes are part of a buffer that is reused or freed.
  return new Body(isText ? decoder.decode(bytes) : Uint8Array.from(bytes));
}

const decoder = new TextDecoder();

/** Bytes before the message itself: its length, and the number of the request that it belongs to. */
const headBytes = 8;

/** A message with the number of its request, as it goes over a stream. */
export function frameOf(number: number, message: Uint8Array): Uint8Array {
  const frame = Buffer.allocUnsafe(headBytes + message.length);
  frame.writeUInt32BE(message.length, 0);
  frame.writeUInt32BE(number, 4);
  frame.set(message, headBytes);
  return frame;
}

/** Cuts a stream into the messages that were put into frames, however it comes in pieces. */
export class FrameReader {
  readonly #take: (number: number, message: Uint8Array) => void;
  readonly #pieces: Uint8Array[] = [];
  #length = 0;
  #needed = headBytes;

  constructor(take: (number: number, message: Uint8Array) => void) {
    this.#take = take;
  }

  /** Whether all messages are as long as is allowed; nothing may be added after one that is not. */
  add(piece: Uint8Array, isAllowed: (bytes: number) => boolean): boolean {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length < this.#needed) return true;
    let rest =
      this.#pieces.length === 1
        ? Buffer.from(piece.buffer, piece.byteOffset, piece.length)
        : Buffer.concat(this.#pieces);
    for (
      this.#needed = headBytes;
      rest.length >= headBytes;
      rest = rest.subarray(this.#needed), this.#needed = headBytes
    ) {
      const bytes = rest.readUInt32BE(0);
      if (!isAllowed(bytes)) return false;
      this.#needed = headBytes + bytes;
      if (rest.length < this.#needed) break;
      // A copy, so that who keeps a message does not keep all that came with it.
      this.#take(rest.readUInt32BE(4), new Uint8Array(rest.subarray(headBytes, this.#needed)));
    }
    this.#pieces.splice(0, this.#pieces.length, ...(rest.length === 0 ? [] : [rest]));
    this.#length = rest.length;
    return true;
  }
}

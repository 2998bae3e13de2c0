import { seededHex } from "../crypto/seeded-hex.ts";

/** How a response is transmitted: the network faults of a plan. Times are real time. A body without slices and rate is sent at once. */
export interface Transmission {
  /** Rate of the body. */
  readonly bytesPerSecond?: number | undefined;
  readonly slices?: Slices | undefined;
  /** Time that the connection stays open after the response; then it ends. */
  readonly slowCloseMs?: number | undefined;
  /** Whether the connection of a truncated response is reset, not closed. */
  readonly isReset?: boolean;
}

/** The body in slices of `bytes` bytes, at most `variation` more or fewer, with a pause between two. The same seed gives the same slices. */
interface Slices {
  readonly bytes: number;
  readonly variation: number;
  readonly pauseMs: number;
  readonly seed: number;
}

/** A piece of a body, and the wait before it. */
export interface Piece {
  readonly waitMs: number;
  readonly bytes: Uint8Array;
}

/** Maximum sum of the waits of a response. A transmission that would wait longer is cut off. */
export const transmissionMsMax: number = 600_000;

/** The body in pieces, each with the wait before it. */
export function* piecesOf(body: Uint8Array, transmission: Transmission): Generator<Piece, void> {
  const { bytesPerSecond, slices } = transmission;
  let start = 0;
  for (let index = 0; start < body.length; index += 1) {
    const bytes = body.subarray(start, start + pieceLength(body, transmission, index));
    start += bytes.length;
    const pauseMs = index === 0 ? 0 : (slices?.pauseMs ?? 0);
    yield { waitMs: pauseMs + (bytesPerSecond === undefined ? 0 : (bytes.length * 1000) / bytesPerSecond), bytes };
  }
}

/** A rate alone sends ten pieces a second. */
function pieceLength(body: Uint8Array, { bytesPerSecond, slices }: Transmission, index: number): number {
  if (slices === undefined) return bytesPerSecond === undefined ? body.length : Math.ceil(bytesPerSecond / 10);
  const drawn = Number.parseInt(seededHex(slices.seed, "slice", index, 12), 16) / 16 ** 12;
  return Math.max(1, slices.bytes - slices.variation + Math.floor(drawn * (2 * slices.variation + 1)));
}

import type { Exchange } from "../src/foundation/http/exchange.ts";
import { readRecording } from "../src/recordings/har/read-recording.ts";

/** The exchanges of a recording, all of which can be read. */
export async function exchangesIn(
  recording: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  for await (const item of readRecording(chunksOf(recording))) {
    if (item.type === "invalid" || item.type === "skipped") throw new Error(item.problem);
    exchanges.push(item.exchange);
  }
  return exchanges;
}

/** The bytes of a recording, a text in one chunk. */
export async function* chunksOf(
  recording: string | Uint8Array | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (typeof recording === "string") yield new TextEncoder().encode(recording);
  else if (recording instanceof Uint8Array) yield recording;
  else yield* recording;
}

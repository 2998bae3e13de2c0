import { piecesOf, type Transmission, transmissionMsMax } from "../../foundation/http/transmission.ts";

/** The body of a response without a socket: in its slices and at its rate, as it is read. */
export function transmitted(
  body: Uint8Array,
  transmission: Transmission | undefined,
  signal: AbortSignal,
): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  if (transmission?.slices === undefined && transmission?.bytesPerSecond === undefined) return new Uint8Array(body);
  const pieces = piecesOf(body, transmission);
  let waitedMs = 0;
  let cancel = () => {};
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = pieces.next();
        if (next.done === true) {
          controller.close();
          return;
        }
        waitedMs += next.value.waitMs;
        if (waitedMs > transmissionMsMax) throw new TypeError("fetch failed: the response was cut off");
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, next.value.waitMs);
          cancel = () => {
            clearTimeout(timer);
            resolve();
          };
          signal.addEventListener("abort", cancel, { once: true });
        });
        signal.removeEventListener("abort", cancel);
        signal.throwIfAborted();
        controller.enqueue(next.value.bytes);
      },
      cancel: () => cancel(),
    },
    { highWaterMark: 0 },
  );
}

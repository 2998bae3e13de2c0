// A process that throws inputs and tells its parent of each: node --expose-gc _throw.ts ORDER, an order as JSON.
import { attempt } from "./_attempt.ts";
import type { FuzzMessage, FuzzOrder, Slowest } from "./_messages.ts";
import { targetOfKind } from "./kinds.ts";

const order: FuzzOrder = JSON.parse(process.argv[2] ?? "");
const tell = (message: FuzzMessage) => process.send?.(message);

/** The heap that is in use after everything was collected that can be. */
function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const target = await targetOfKind(order.kind);
let slowest: Slowest = { number: order.from, ms: 0 };
for (let number = order.from; number < order.to; number += 1) {
  if (order.heapAt.includes(number)) tell({ type: "heap", bytes: heapBytes() });
  tell({ type: "begun", number });
  const begunMs = performance.now();
  const text = await attempt(target, order.seed, number);
  const ms = performance.now() - begunMs;
  if (ms > slowest.ms) slowest = { number, ms };
  if (text !== undefined) tell({ type: "finding", number, text });
}
tell({ type: "heap", bytes: heapBytes() });
tell({ type: "ended", slowest });
await target.close();
process.disconnect();

// A process that runs inputs and reports each to its parent: node --expose-gc _throw.ts ORDER, with ORDER as JSON.
import { type EventLoopUtilization, performance } from "node:perf_hooks";
import { attempt } from "./_attempt.ts";
import { attemptMsMax, type FuzzMessage, type FuzzOrder, type Slowest } from "./_messages.ts";
import { targetOfKind } from "./kinds.ts";

const order: FuzzOrder = JSON.parse(process.argv[2] ?? "");

/** Waits until a message is sent: pending messages are lost when the process ends. */
function tell(message: FuzzMessage): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, undefined, undefined, () => resolve());
  });
}

/** Bytes of the heap after garbage collection. */
function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** The time that this thread has computed and waited; a busy machine makes neither longer. */
function begin(): { readonly cpu: NodeJS.CpuUsage; readonly loop: EventLoopUtilization } {
  return { cpu: process.threadCpuUsage(), loop: performance.eventLoopUtilization() };
}

function msSince({ cpu, loop }: ReturnType<typeof begin>): number {
  const { user, system } = process.threadCpuUsage(cpu);
  return (user + system) / 1000 + performance.eventLoopUtilization(loop).idle;
}

const target = await targetOfKind(order.kind, { fault: order.fault });
const msMax = target.msMax ?? attemptMsMax;
let slowest: Slowest = { number: order.from, ms: 0 };
for (let number = order.from; number < order.to; number += 1) {
  if (order.heapAt.includes(number)) await tell({ type: "heap", bytes: heapBytes() });
  await tell({ type: "begun", number });
  let begun = begin();
  const text = await attempt(target, order.seed, number, () => {
    begun = begin();
  });
  const ms = msSince(begun);
  if (ms > slowest.ms) slowest = { number, ms };
  if (ms > msMax) await tell({ type: "finding", number, text: `hangs: it takes longer than ${msMax} ms` });
  if (text !== undefined) await tell({ type: "finding", number, text });
}
await tell({ type: "heap", bytes: heapBytes() });
await tell({ type: "ended", slowest });
await target.close();
process.disconnect();

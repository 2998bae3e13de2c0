import { connections } from "./load/load.ts";
import type { Machine, Tools } from "./machine.ts";
import type { Plan } from "./plan.ts";

/** Sentences that describe the measurement. */
export function conditionsOf({ tools, effort, kinds }: Plan): readonly string[] {
  const { rounds, seconds } = effort;
  return [
    `Load by ${tools.wrk ? "wrk" : "autocannon, since wrk is not installed"}, ${connections} connections; a warm-up, then ${rounds} ${rounds === 1 ? "round" : "rounds"} of ${seconds} s in which every server has its turn; medians.`,
    pinning(tools),
    ...(tools.proc ? [] : ["This system does not tell the processor time and memory of a process."]),
    ...kinds.map(({ title, setUp }) => `${title}: ${setUp}`),
  ];
}

function pinning({ cores }: Tools): string {
  return cores === undefined
    ? "Server and load share the cores: taskset, or a second core, is missing."
    : `The server on core ${cores.server}, load and everything else on core ${cores.load}.`;
}

export function machineText({ processor, cores, memoryGigabytes, system, node }: Machine): string {
  return `${processor}, ${cores} cores, ${memoryGigabytes} GB, ${system}, Node ${node}`;
}

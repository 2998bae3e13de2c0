import { setTimeout } from "node:timers/promises";
import type { Plan } from "../plan.ts";
import { fetchAt } from "../request.ts";
import { type Figures, inTurns, type Row, type Subject } from "../rows.ts";
import { keepBusy } from "../sender.ts";
import { bare } from "../servers/bare.ts";
import { peersOf, understudies } from "../servers/servers.ts";
import { type Serving, startServing } from "../serving.ts";
import { mixed } from "../traffic/mixed.ts";
import { samplesOf } from "../traffic/samples.ts";

/** Share of the requests that warm up; growth of memory counts from their end. */
const warmUpShare = 0.05;
/** Seconds of load per stretch; the requests are counted after each. */
const stretchSeconds = 2;
/** Pause between the first response and the measurement of an idle process. */
const restMs = 1000;

/** Resident memory of a process after its first response; of Understudy and the bare server also after many requests. */
export async function runMemory(plan: Plan): Promise<readonly Row[]> {
  const { large } = plan.workspace;
  const samples = await samplesOf(plan, large);
  const runs = new Map<Subject, () => Promise<Figures>>();
  for (const server of [...understudies(plan, large), bare, ...peersOf(plan)])
    runs.set(server.name, async () => {
      plan.tell(`memory: ${server.name}`);
      const given = server === bare ? (samples.get("mixed") ?? []) : [...samples.values()].flat();
      const serving = await startServing(server, { ...plan, samples: given });
      try {
        await setTimeout(restMs);
        const idle = serving.process.residentMegabytes();
        return peersOf(plan).includes(server) ? { idle } : { idle, ...(await growthOf(plan, serving)) };
      } finally {
        await serving.process.stop();
      }
    });
  const found = await inTurns(1, runs);
  return [
    { name: "memory-idle", title: "memory, idle", unit: "MB", values: found("idle") },
    { name: "memory-after", title: "memory after many requests", unit: "MB", values: found("last") },
    { name: "memory-growth", title: "growth of memory", unit: "MB", values: found("growth") },
  ];
}

async function growthOf({ workspace, effort }: Plan, serving: Serving): Promise<Figures> {
  const requests = await mixed.requests(workspace.large, 0, 0, fetchAt(serving.url));
  let sent = 0;
  const megabytesAfter = async (count: number) => {
    while (sent < count) sent += (await keepBusy(serving, requests, stretchSeconds)).requests;
    return serving.process.residentMegabytes();
  };
  const warm = await megabytesAfter(effort.requests * warmUpShare);
  const last = await megabytesAfter(effort.requests);
  return { last, growth: last - warm };
}

import type { Plan } from "../plan.ts";
import { ask, fetchAt, firstPage } from "../request.ts";
import { type Figures, inTurns, type Row } from "../rows.ts";
import { keepBusy, slowestHundredthMs } from "../sender.ts";
import { bare } from "../servers/bare.ts";
import { understudies } from "../servers/servers.ts";
import { type Serving, startServing, stopAll } from "../serving.ts";

/** More than wait at any time at half of full load. */
const connections = 64;

/** 99th percentile of the latency of a page of users, at half of each server's full load. */
export async function runTail(plan: Plan): Promise<readonly Row[]> {
  const { effort, workspace } = plan;
  const servings: Serving[] = [];
  try {
    for (const server of understudies(plan, workspace.large))
      servings.push(await startServing(server, { ...plan, samples: [] }));
    const samples = [{ request: firstPage, response: await ask(fetchAt(servings[0]?.url ?? ""), firstPage) }];
    servings.push(await startServing(bare, { ...plan, samples }));
    const runs = new Map<Serving["server"]["name"], () => Promise<Figures>>();
    for (const serving of servings) {
      plan.tell(`tail: full load of ${serving.server.name}`);
      const full = await keepBusy(serving, [firstPage], effort.warmUpSeconds);
      const pace = { connections, rate: full.rate / 2, seconds: effort.seconds };
      runs.set(serving.server.name, async () => ({ p99: await slowestHundredthMs(serving.port, firstPage, pace) }));
    }
    const found = await inTurns(effort.rounds, runs);
    return [{ name: "tail", title: "p99 at half of full load", unit: "ms", values: found("p99") }];
  } finally {
    await stopAll(servings);
  }
}

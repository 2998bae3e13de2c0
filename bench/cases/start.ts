import type { Plan } from "../plan.ts";
import { type Figures, inTurns, type Row, type Subject } from "../rows.ts";
import { bare } from "../servers/bare.ts";
import { peersOf, understudies } from "../servers/servers.ts";
import { startServing } from "../serving.ts";
import { samplesOf } from "../traffic/samples.ts";

/** Time from the start of a process to its first page of users; of Understudy with the quickstart. */
export async function runStart(plan: Plan): Promise<readonly Row[]> {
  const { small, large } = plan.workspace;
  const page = (await samplesOf(plan, small)).get("users") ?? [];
  const all = [...(await samplesOf(plan, large)).values()].flat();
  const runs = new Map<Subject, () => Promise<Figures>>();
  for (const server of [...understudies(plan, small), bare, ...peersOf(plan)]) {
    const run = async () => {
      plan.tell(`start: ${server.name}`);
      const { process, startMs } = await startServing(server, { ...plan, samples: server === bare ? page : all });
      await process.stop();
      return { startMs };
    };
    // Once before: the first start after an installation compiles the code.
    try {
      await run();
      runs.set(server.name, run);
    } catch (error) {
      if (!peersOf(plan).includes(server)) throw error;
      plan.note(error instanceof Error ? error.message : String(error));
    }
  }
  const found = await inTurns(plan.effort.processes * 3, runs);
  return [{ name: "start", title: "start to first response", unit: "ms", values: found("startMs") }];
}

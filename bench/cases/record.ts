import { once } from "node:events";
import { Agent, request } from "node:http";
import { join } from "node:path";
import type { Plan } from "../plan.ts";
import { ask, fetchAt, firstPage, headersOf, type LoadRequest } from "../request.ts";
import { type Figures, inTurns, median, type Row, type Subject, type Values } from "../rows.ts";
import type { Sample } from "../servers/_server.ts";
import { bare } from "../servers/bare.ts";
import { understudies } from "../servers/servers.ts";
import { recorder } from "../servers/understudy.ts";
import { type Serving, startServing, stopAll } from "../serving.ts";

/** Users on a page of 100 kB, and one more on each of the next pages, so that bodies differ. */
const pageOf100Kilobytes = 430;
const pages = 20;
/** Calls in a round, of each kind in turn. */
const callsOfRound = 200;

/** The latency that the recorder adds at the median, with redaction: a call through it, and the same call of the target. */
export async function runRecord(plan: Plan): Promise<readonly Row[]> {
  const large = Array.from({ length: pages }, (_, index): LoadRequest => {
    return { method: "GET", path: `/v2/users?pageSize=${pageOf100Kilobytes + index}` };
  });
  const servings: Serving[] = [];
  const agent = new Agent({ keepAlive: true });
  try {
    const samples = await pagesOf(plan, [...large, firstPage]);
    const target = await startServing({ ...bare, core: "1" }, { ...plan, samples });
    servings.push(target);
    const recorders: Serving[] = [];
    for (const install of plan.installs) {
      const started = await startServing(
        recorder(install, target.url, join(plan.workspace.folder, `${install.name}.har`)),
        { ...plan, samples: [] },
      );
      servings.push(started);
      recorders.push(started);
    }
    const bytes = Math.round(median(samples.slice(0, pages).map(({ response }) => response.text.length)) / 1000);
    const added = (requests: readonly LoadRequest[]) => addedMs(plan, agent, { target, recorders, requests });
    return [
      { name: "record", title: `record: added to a response of ${bytes} kB`, unit: "ms", values: await added(large) },
      {
        name: "record-small",
        title: "record: added to a page of 10 users",
        unit: "ms",
        values: await added([firstPage]),
      },
    ];
  } finally {
    agent.destroy();
    await stopAll(servings);
  }
}

async function pagesOf(plan: Plan, requests: readonly LoadRequest[]): Promise<readonly Sample[]> {
  const [server] = understudies(plan, plan.workspace.large);
  if (server === undefined) throw new Error("invariant: this checkout is installed");
  const { url, process } = await startServing(server, { ...plan, samples: [] });
  const samples: Sample[] = [];
  for (const each of requests) samples.push({ request: each, response: await ask(fetchAt(url), each) });
  await process.stop();
  return samples;
}

interface Stage {
  readonly target: Serving;
  readonly recorders: readonly Serving[];
  readonly requests: readonly LoadRequest[];
}

async function addedMs({ effort, tell }: Plan, agent: Agent, { target, recorders, requests }: Stage): Promise<Values> {
  const runs = new Map<Subject, (round: number) => Promise<Figures>>();
  for (const recording of recorders)
    runs.set(recording.server.name, async () => {
      tell(`record: ${recording.server.name}, ${requests[0]?.path}`);
      const [direct, through]: [number[], number[]] = [[], []];
      for (let call = 0; call < callsOfRound; call += 1) {
        const each = requests[call % requests.length] ?? firstPage;
        direct.push(await latencyMs(agent, target, each));
        through.push(await latencyMs(agent, recording, each));
      }
      return { added: median(through) - median(direct) };
    });
  for (const run of runs.values()) for (const round of [-2, -1]) await run(round);
  return (await inTurns(effort.rounds, runs))("added");
}

/** Milliseconds from the request to the last byte of its response. */
async function latencyMs(agent: Agent, { url }: Serving, sent: LoadRequest): Promise<number> {
  const begun = performance.now();
  const outgoing = request(url + sent.path, { agent, method: sent.method, headers: headersOf(sent) });
  outgoing.end();
  const [response] = await once(outgoing, "response");
  response.resume();
  await once(response, "end");
  if (response.statusCode !== 200) throw new Error(`${sent.path} returned ${response.statusCode}`);
  return performance.now() - begun;
}

import type { Plan } from "../plan.ts";
import { askJson, fetchAt } from "../request.ts";
import { type Figures, inTurns, type Row, type Values } from "../rows.ts";
import { connectionsOfLoad, keepBusy, openLoad, sendOnce } from "../sender.ts";
import type { Sample } from "../servers/_server.ts";
import { bare } from "../servers/bare.ts";
import { startPeers, understudies } from "../servers/servers.ts";
import { type Serving, startServing, stopAll } from "../serving.ts";
import type { Traffic } from "../traffic/_traffic.ts";
import { executeAndWait } from "../traffic/execute.ts";
import { samplesOf } from "../traffic/samples.ts";
import type { World } from "../workspace.ts";

/** Fresh requests for each second of load: more than any server takes. */
const freshPerSecond = 40_000;
/**
 * Transactions that are prepared at a time, and then executed; connections that execute them; batches for each second of load,
 * and before the first round: only after some ten thousand executions the JIT compiler has optimized nearly all of their code.
 */
const batch = { size: 250, connections: 16, perSecond: 2, ofWarmUp: 60 };
/** Requests of servers to which they need not be fresh. */
const repeated = 1000;

const reasonLengthMax = 200;

/** A server under one kind of traffic. */
interface Stage {
  readonly plan: Plan;
  readonly traffic: Traffic;
  readonly world: World;
  readonly samples: readonly Sample[];
}

/** Loads a server in a round; round 0 warms up. */
type Load = (round: number) => Promise<Figures>;

/** Requests a second and processor time of each kind of traffic, in both worlds. */
export async function runLoad(plan: Plan, all: readonly Traffic[]): Promise<readonly Row[]> {
  if (all.length === 0) return [];
  const { small, large } = plan.workspace;
  const [ofSmall, ofLarge] = [await samplesOf(plan, small), await samplesOf(plan, large)];
  // Peers run through all kinds of traffic, so that those with a JIT compiler have time to warm up.
  const peers = await startPeers(plan, [...ofLarge.values()].flat());
  try {
    const rows: Row[] = [];
    for (const traffic of all)
      try {
        const { name, title } = traffic;
        const inSmall = await measure({ plan, traffic, world: small, samples: ofSmall.get(name) ?? [] }, []);
        const inLarge = await measure({ plan, traffic, world: large, samples: ofLarge.get(name) ?? [] }, peers);
        rows.push(
          { name: `${name}-rate`, title, unit: "requests/s", values: inLarge("rate") },
          { name, title: `${title}, processor time`, unit: "µs", values: inLarge("cpu") },
          { name: `${name}-small`, title: `${title}, small world`, unit: "µs", values: inSmall("cpu") },
        );
      } catch (error) {
        // The others are still measured.
        plan.note(`${traffic.title} failed: ${String(error).slice(0, reasonLengthMax)}`);
      }
    return rows;
  } finally {
    await stopAll(peers);
  }
}

async function measure(stage: Stage, peers: readonly Serving[]): Promise<(figure: string) => Values> {
  const { plan, traffic, world, samples } = stage;
  const own: Serving[] = [];
  try {
    for (const server of understudies(plan, world)) own.push(await startServing(server, { ...plan, samples }));
    own.push(await startServing(bare, { ...plan, samples }, samples[0]?.request));
    const runs = new Map([...own, ...peers].map((each) => [each.server.name, tolerant(stage, each)]));
    for (const [name, run] of runs) if (Object.keys(await run(0)).length === 0) runs.delete(name);
    plan.tell(
      `${traffic.name}, ${world.scenario === undefined ? "small" : "large"} world: ${[...runs.keys()].join(", ")}`,
    );
    return await inTurns(plan.effort.rounds, runs);
  } finally {
    await stopAll(own);
  }
}

/** The load of a server. A failure of a peer is noted, and the others are measured. */
function tolerant(stage: Stage, serving: Serving): Load {
  const { name } = serving.server;
  const isOfUnderstudy = name === "understudy" || name === "before";
  const load = isOfUnderstudy ? loadOfUnderstudy(stage, serving) : loadOfOther(stage, serving);
  return async (round) => {
    try {
      if (round === 0) await check(stage, serving);
      return await load(round);
    } catch (error) {
      if (isOfUnderstudy || name === "reference") throw error;
      const reason = String(error).replaceAll(/\s+/g, " ").slice(0, reasonLengthMax);
      stage.plan.note(`${stage.traffic.title}, ${name}: ${reason}`);
      return {};
    }
  };
}

/** Rounds 0 and 1 of the traffic are the samples and the check. */
const firstRound = 2;

function loadOfUnderstudy({ plan, traffic, world }: Stage, serving: Serving): Load {
  if (traffic === executeAndWait)
    return (round) => executeBatches({ plan, traffic, world, samples: [] }, serving, round);
  return async (round) => {
    const seconds = secondsOf(plan, round);
    const requests = await traffic.requests(world, firstRound + round, freshPerSecond * seconds, fetchAt(serving.url));
    const figures = await keepBusy(serving, requests, seconds);
    if (traffic.isFresh === true && figures.requests > requests.length) throw new Error("the fresh requests ran out");
    return figures;
  };
}

/** Each transaction is prepared by the measured server shortly before, and sent once. Only the execution counts. */
async function executeBatches({ plan, traffic, world }: Stage, serving: Serving, round: number): Promise<Figures> {
  const batches = round === 0 ? batch.ofWarmUp : plan.effort.seconds * batch.perSecond;
  const spent = { cpu: 0, ms: 0 };
  for (let index = 0; index < batches; index += 1) {
    const number = (firstRound + round) * 1000 + index;
    const requests = await traffic.requests(world, number, batch.size, fetchAt(serving.url));
    const load = await openLoad(serving.port, batch.connections);
    const [cpuBefore, msBefore] = [serving.process.cpuMicros(), performance.now()];
    await sendOnce(load, requests).finally(load.close);
    spent.cpu += serving.process.cpuMicros() - cpuBefore;
    spent.ms += performance.now() - msBefore;
  }
  const executions = batches * batch.size;
  return { cpu: spent.cpu / executions, rate: (executions * 1000) / spent.ms };
}

/** Other servers execute the same transaction again and again. */
function loadOfOther({ plan, traffic, world, samples }: Stage, serving: Serving): Load {
  return async (round) => {
    const made = traffic === executeAndWait ? [] : await traffic.requests(world, 1, repeated, fetchAt(serving.url));
    const requests = made.length === 0 ? samples.map(({ request }) => request) : made;
    const connections = traffic === executeAndWait ? batch.connections : connectionsOfLoad;
    return keepBusy(serving, requests, secondsOf(plan, round), connections);
  };
}

function secondsOf({ effort }: Plan, round: number): number {
  return round === 0 ? effort.warmUpSeconds : effort.seconds;
}

/** Sends the requests of the samples, which Understudy gets anew, and requires their members in the responses. */
async function check({ plan, traffic, world, samples }: Stage, serving: Serving): Promise<void> {
  plan.tell(`${traffic.name}: warm-up of ${serving.server.name}`);
  const send = fetchAt(serving.url);
  const isUnderstudy = serving.server.name === "understudy" || serving.server.name === "before";
  if (isUnderstudy) for (const request of traffic.setUp?.(world) ?? []) await askJson(send, request);
  const requests = isUnderstudy
    ? await traffic.requests(world, 1, traffic.members.length, send)
    : samples.map(({ request }) => request);
  for (const [index, member] of traffic.members.entries()) {
    const request = requests[index];
    const body = request === undefined ? {} : await askJson(send, request);
    if (body[member] === undefined) throw new Error(`its response has no ${member}`);
  }
}

import { measure, writeRequests } from "../load/measured.ts";
import type { Plan } from "../plan.ts";
import type { Memory } from "../processes.ts";
import type { Absence, CaseResult } from "../results.ts";
import type { Sample, ServerKind } from "../servers/_server.ts";
import { type Serving, startServing, tryServing } from "../serving.ts";
import { absencesOf, didNotStart, isOurs, notMeasured } from "./absences.ts";
import { firstPage } from "./list-users.ts";
import { mixed } from "./mixed.ts";
import { peerSamples } from "./peer-samples.ts";

/** Share of the requests that warm up; growth of memory counts from their end. */
const warmUpShare = 0.05;
/** Seconds of load per stretch; the requests are counted after each. */
const stretchSeconds = 2;
/** Pause between the first response and the measurement of an idle process. */
const restMs = 1000;

interface Busy {
  readonly warm: Memory;
  readonly last: Memory;
  readonly requests: number;
}

/** Memory of a process after its first response, and of Understudy and the bare server after many requests of the mixed case. */
export async function runMemory(plan: Plan): Promise<readonly CaseResult[]> {
  if (!plan.tools.proc) return [];
  const samples = await peerSamples(plan);
  const [idle, busy] = [new Map<string, Memory>(), new Map<string, Busy>()];
  for (const kind of plan.kinds.filter((each) => each.absence(plan.tools) === undefined)) {
    const found = await whileIdle(plan, kind, samples);
    if (found !== undefined) idle.set(kind.name, found);
  }
  for (const kind of plan.kinds.filter(isOurs)) busy.set(kind.name, await keepBusy(plan, kind, samples));
  return [...idleResults(plan, idle), ...busyResults(plan, busy)];
}

async function whileIdle(plan: Plan, kind: ServerKind, samples: readonly Sample[]): Promise<Memory | undefined> {
  plan.tell(`memory: ${kind.title}, idle`);
  const given = kind.name === "bare" ? samples.slice(0, 1) : samples;
  const serving = await tryServing(kind, { ...plan, samples: given }, firstPage);
  if (serving === undefined) return undefined;
  try {
    await new Promise((resolve) => setTimeout(resolve, restMs));
    return serving.process.memory();
  } finally {
    await serving.process.stop();
  }
}

async function keepBusy(plan: Plan, kind: ServerKind, samples: readonly Sample[]): Promise<Busy> {
  const requested = await mixed.requests({ fixture: plan.workspace.fixture, understudyUrl: "" }, 0, 0);
  const serving = await startServing(
    kind,
    { ...plan, samples: samples.filter((each) => !each.request.path.endsWith("=1000")) },
    firstPage,
  );
  try {
    return await watch(plan, serving, writeRequests(plan, requested));
  } finally {
    await serving.process.stop();
  }
}

async function watch(plan: Plan, serving: Serving, file: string): Promise<Busy> {
  const all = plan.effort.requests;
  let requests = 0;
  const until = async (count: number) => {
    while (requests < count) {
      plan.tell(`memory: ${serving.kind.title}, ${requests} of ${all} requests`);
      requests += (await measure(plan, serving, file, stretchSeconds)).requests;
    }
    return serving.process.memory();
  };
  const warm = await until(all * warmUpShare);
  const last = await until(all);
  return { warm, last, requests };
}

function idleResults(plan: Plan, idle: ReadonlyMap<string, Memory>): readonly CaseResult[] {
  const absences = absencesOf(plan, [...idle.keys()], didNotStart);
  const result = resultOf(idle, absences);
  return [
    result("memory-idle", "memory, idle", "resident, a second after the first response", (each) => each.rssMegabytes),
    result("memory-idle-pss", "memory, idle, PSS", "the same with shared pages in parts", (each) => each.pssMegabytes),
  ];
}

function busyResults(plan: Plan, busy: ReadonlyMap<string, Busy>): readonly CaseResult[] {
  const requested = ([...busy.values()][0]?.requests ?? 0).toLocaleString("en");
  const result = resultOf(busy, absencesOf(plan, [...busy.keys()], notMeasured));
  const after = `resident, after ${requested} requests of the mixed case`;
  const growth = "from after the first twentieth of those requests to after the last";
  return [
    result("memory-after", "memory after many requests", after, ({ last }) => last.rssMegabytes),
    result("memory-growth", "growth of memory", growth, ({ last, warm }) => last.rssMegabytes - warm.rssMegabytes),
  ];
}

function resultOf<Found>(found: ReadonlyMap<string, Found>, absences: readonly Absence[]) {
  return (name: string, title: string, about: string, megabytesOf: (each: Found) => number): CaseResult => ({
    name,
    title,
    about,
    unit: "MB",
    isHigherBetter: false,
    measurements: [...found].map(([subject, each]) => ({
      subject,
      value: megabytesOf(each),
      rounds: [megabytesOf(each)],
    })),
    absences,
  });
}

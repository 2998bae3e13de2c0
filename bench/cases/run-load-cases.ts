import { parseObject } from "../json.ts";
import { type Measured, measure, writeRequests } from "../load/measured.ts";
import { ask } from "../load/request.ts";
import { median } from "../medians.ts";
import type { Plan } from "../plan.ts";
import type { Absence, CaseResult, Measurement } from "../results.ts";
import type { Sample } from "../servers/_server.ts";
import { understudy } from "../servers/understudy.ts";
import { type Serving, startServing, tryServing } from "../serving.ts";
import type { LoadCase, TrafficSource } from "./_load-case.ts";
import { didNotStart, isOurs } from "./absences.ts";
import { firstPage } from "./list-users.ts";
import { samplesOf } from "./peer-samples.ts";

/** Factor of fresh requests in a round, relative to the last rate. */
const reserve = 1.5;
/** Rounds 0 and 1 are the samples and the check. */
const firstRound = 2;

/** Measures each case on all servers, in rounds that include every server. */
export async function runLoadCases(plan: Plan, cases: readonly LoadCase[]): Promise<readonly CaseResult[]> {
  if (cases.length === 0) return [];
  const { workspace, tools } = plan;
  const peers: Serving[] = [];
  // Builds requests and samples on another core than the measured one.
  const scribe = await startServing(understudy, { workspace, tools, samples: [] }, firstPage, tools.cores?.load);
  try {
    const source = { fixture: workspace.fixture, understudyUrl: scribe.url };
    const samples = await samplesOf(source);
    const absences = await startPeers(plan, [...samples.values()].flat(), peers);
    const results: CaseResult[] = [];
    for (const each of cases) {
      const stage = { source, peers, absences, samples: samples.get(each.name) ?? [] };
      results.push(await runLoadCase(plan, each, stage));
    }
    return results;
  } finally {
    for (const { process } of [...peers, scribe]) await process.stop();
  }
}

/** Peers run through all cases, so that those with a JIT compiler have time to warm up. */
async function startPeers(plan: Plan, samples: readonly Sample[], peers: Serving[]): Promise<readonly Absence[]> {
  const absences: Absence[] = [];
  for (const kind of plan.kinds.filter((each) => !isOurs(each))) {
    plan.tell(`starting ${kind.title}`);
    const reason = kind.absence(plan.tools);
    const serving = reason === undefined ? await tryServing(kind, { ...plan, samples }, firstPage) : undefined;
    if (serving === undefined) absences.push({ subject: kind.name, reason: reason ?? didNotStart });
    else peers.push(serving);
  }
  return absences;
}

interface Stage {
  readonly source: TrafficSource;
  readonly peers: readonly Serving[];
  readonly absences: readonly Absence[];
  readonly samples: readonly Sample[];
}

async function runLoadCase(
  plan: Plan,
  each: LoadCase,
  { source, peers, absences, samples }: Stage,
): Promise<CaseResult> {
  const ours: Serving[] = [];
  const found = {
    name: each.name,
    title: each.title,
    about: each.about,
    unit: "requests/s",
    isHigherBetter: true,
  } as const;
  try {
    const first = samples[0]?.request ?? firstPage;
    for (const kind of plan.kinds.filter(isOurs)) {
      const begin = kind.name === "bare" ? first : firstPage;
      ours.push(await startServing(kind, { ...plan, samples }, begin));
    }
    const checked = await checkAll([...ours, ...peers], each, source);
    const { measured, failures } = await measureRounds(plan, each, checked.able, source);
    const measurements = checked.able.flatMap(({ kind }) =>
      failures.some(({ subject }) => subject === kind.name)
        ? []
        : [measurementOf(kind.name, measured.get(kind.name) ?? [], checked.notes.get(kind.name))],
    );
    return { ...found, measurements, absences: [...absences, ...checked.unable, ...failures] };
  } finally {
    for (const { process } of ours) await process.stop();
  }
}

function measurementOf(subject: string, rounds: readonly Measured[], note: string | undefined): Measurement {
  const rates = rounds.map(({ perSecond }) => perSecond);
  const cpu = rounds.flatMap(({ cpuMicros }) => (cpuMicros === undefined ? [] : [cpuMicros]));
  return {
    subject,
    value: median(rates),
    rounds: rates,
    ...(cpu.length === 0 ? {} : { cpuMicros: median(cpu) }),
    ...(note === undefined ? {} : { note }),
  };
}

interface Checked {
  readonly able: readonly Serving[];
  readonly unable: readonly Absence[];
  readonly notes: ReadonlyMap<string, string>;
}

/** Sends the requests of each case once to each server, before the measurement. */
async function checkAll(servings: readonly Serving[], each: LoadCase, source: TrafficSource): Promise<Checked> {
  const [able, unable]: [Serving[], Absence[]] = [[], []];
  const notes = new Map<string, string>();
  for (const serving of servings) {
    const { name } = serving.kind;
    // Paths of the server's files do not belong in the results.
    const reason = (await inability(serving, each, source))?.replaceAll(
      /\/[\w./-]*understudy-bench-[\w./-]*/g,
      "(a file)",
    );
    if (reason === undefined) able.push(serving);
    else unable.push({ subject: name, reason });
    if (each.refused === undefined || reason !== undefined || name === "bare") continue;
    const { status } = await ask(serving.url, each.refused);
    if (status < 400) notes.set(name, "does not refuse a request that breaks the schema");
  }
  return { able, unable, notes };
}

/** Reason why the server cannot handle the case; undefined if it can. */
async function inability(serving: Serving, each: LoadCase, source: TrafficSource): Promise<string | undefined> {
  const requests = await each.requests(source, 1, each.members.length);
  for (const [index, member] of each.members.entries()) {
    const { status, text } = await ask(serving.url, requests[index] ?? firstPage);
    if (status !== 200) return `answered ${status}: ${text.replaceAll(/\s+/g, " ").slice(0, 120)}`;
    if (!hasMember(text, member)) return `its response has no ${member}: ${text.slice(0, 120)}`;
  }
  return undefined;
}

function hasMember(text: string, member: string): boolean {
  try {
    return parseObject(text)[member] !== undefined;
  } catch {
    return false;
  }
}

interface Rounds {
  readonly measured: ReadonlyMap<string, readonly Measured[]>;
  readonly failures: readonly Absence[];
}

async function measureRounds(
  plan: Plan,
  each: LoadCase,
  servings: readonly Serving[],
  source: TrafficSource,
): Promise<Rounds> {
  const measured = new Map<string, Measured[]>(servings.map(({ kind }) => [kind.name, []]));
  const failures: Absence[] = [];
  const { rounds, seconds, warmUpSeconds } = plan.effort;
  let fresh = each.freshForWarmUp ?? 0;
  for (let round = 0; round <= rounds; round += 1) {
    const isWarmUp = round === 0;
    const length = isWarmUp ? warmUpSeconds : seconds;
    const file = writeRequests(plan, await each.requests(source, firstRound + round, fresh));
    for (const serving of servings) {
      const { name, title } = serving.kind;
      plan.tell(`${each.name}: ${title}, ${isWarmUp ? "warm-up" : `round ${round} of ${rounds}`}`);
      const result = await measure(plan, serving, file, length);
      if (name === "understudy") fresh = Math.ceil(((result.requests * seconds) / length) * reserve);
      if (isWarmUp) continue;
      measured.get(name)?.push(result);
      if (result.failed > 0) failures.push(failureOf(name, result));
    }
  }
  return { measured, failures };
}

function failureOf(subject: string, { failed, requests }: Measured): Absence {
  return { subject, reason: `${failed} of ${requests} answers in a round were no success` };
}

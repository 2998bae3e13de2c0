import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type JsonObject, parseObject } from "../json.ts";
import { median } from "../medians.ts";
import type { Plan } from "../plan.ts";
import { finished, pinned } from "../processes.ts";
import type { CaseResult, Measurement } from "../results.ts";
import { writeManyUsers } from "./many-users.ts";

const inProcess: string = fileURLToPath(new URL("in-process-child.ts", import.meta.url));
const fixtureChild: string = fileURLToPath(new URL("fixture-child.ts", import.meta.url));

/** Heap limit; a world with very many users needs more than Node's default on a small machine. */
const nodeFlags = ["--max-old-space-size=8192"];

/** Runs a script of this folder on the server core and reads the JSON that it prints. */
export async function printedBy({ tools }: Plan, words: readonly string[]): Promise<JsonObject> {
  const launch = { command: process.execPath, words };
  return parseObject(await finished(pinned(launch, tools.cores === undefined ? [] : [tools.cores.server])));
}

/** Forks of a world with very many users, and its pages at both ends. */
export async function runWorld(plan: Plan): Promise<readonly CaseResult[]> {
  const { scenario } = writeManyUsers(plan.workspace, plan.effort.users);
  plan.tell("world: forks and pages");
  const words = [...nodeFlags, "--expose-gc", inProcess, "world", scenario, String(plan.effort.rounds)];
  const { microseconds, bytes, start, end } = await printedBy(plan, words);
  const users = plan.effort.users.toLocaleString("en");
  const found = { isHigherBetter: false, absences: [] } as const;
  return [
    {
      ...found,
      name: "fork",
      title: `fork of a world with ${users} users`,
      about: "each of 1,000 forks that are kept",
      unit: "µs",
      measurements: [measurement("fork", microseconds)],
    },
    {
      ...found,
      name: "fork-memory",
      title: "memory of such a fork",
      about: "growth of the heap for each of 1,000 forks, after a collection",
      unit: "bytes",
      measurements: [measurement("fork", bytes)],
    },
    {
      ...found,
      name: "page",
      title: `page of 10 at the end of ${users} users`,
      about: "processor time of a request by `fetch`, without a socket",
      unit: "µs",
      measurements: [measurement("at the start", start), measurement("at the end", end)],
    },
  ];
}

/** Compares loading a fixture with very many users with `JSON.parse` of the same file. */
export async function runFixture(plan: Plan): Promise<readonly CaseResult[]> {
  const { scenario, ledger } = writeManyUsers(plan.workspace, plan.effort.users);
  const [parse, load]: [number[], number[]] = [[], []];
  for (let round = 1; round <= plan.effort.processes; round += 1) {
    plan.tell(`fixture: round ${round} of ${plan.effort.processes}`);
    parse.push(Number((await printedBy(plan, [...nodeFlags, fixtureChild, "parse", ledger]))["cpuMs"]));
    load.push(Number((await printedBy(plan, [...nodeFlags, fixtureChild, "load", scenario]))["cpuMs"]));
  }
  const megabytes = Math.round(statSync(ledger).size / 1e6);
  return [
    {
      name: "fixture",
      title: `fixture with ${plan.effort.users.toLocaleString("en")} users`,
      about: `processor time from a JSON file of ${megabytes} MB to a world, each in a separate process`,
      unit: "ms",
      isHigherBetter: false,
      measurements: [measurement("understudy", load), measurement("JSON.parse", parse)],
      absences: [],
    },
  ];
}

export function measurement(subject: string, rounds: unknown): Measurement {
  const numbers = Array.isArray(rounds) ? rounds.map(Number) : [];
  return { subject, value: median(numbers), rounds: numbers };
}

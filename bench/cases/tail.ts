import { fileURLToPath } from "node:url";
import { isObject } from "../json.ts";
import { measure, writeRequests } from "../load/measured.ts";
import { ask } from "../load/request.ts";
import { median } from "../medians.ts";
import type { Plan } from "../plan.ts";
import { finished, pinned } from "../processes.ts";
import type { CaseResult } from "../results.ts";
import { type Serving, startServing } from "../serving.ts";
import { absencesOf, notMeasured } from "./absences.ts";
import { firstPage } from "./list-users.ts";

const driver: string = fileURLToPath(new URL("../load/paced-driver.ts", import.meta.url));

/** 99th percentile of the latency, at half of each server's full load. */
export async function runTail(plan: Plan): Promise<readonly CaseResult[]> {
  const servings = await startOurs(plan);
  try {
    const file = writeRequests(plan, [firstPage]);
    const halves = new Map<Serving, number>();
    for (const serving of servings) {
      plan.tell(`tail: full load of ${serving.kind.title}`);
      await measure(plan, serving, file, plan.effort.warmUpSeconds);
      const { perSecond } = await measure(plan, serving, file, plan.effort.seconds);
      halves.set(serving, Math.round(perSecond / 2));
    }
    const rounds = new Map<Serving, number[]>(servings.map((serving) => [serving, []]));
    for (let round = 1; round <= plan.effort.rounds; round += 1)
      for (const serving of servings) {
        plan.tell(`tail: ${serving.kind.title}, round ${round} of ${plan.effort.rounds}`);
        rounds.get(serving)?.push(await slowestHundredth(plan, serving, halves.get(serving) ?? 1, file));
      }
    const measurements = servings.map((serving) => ({
      subject: serving.kind.name,
      value: median(rounds.get(serving) ?? []),
      rounds: rounds.get(serving) ?? [],
      note: `at ${(halves.get(serving) ?? 0).toLocaleString("en")} requests/s`,
    }));
    return [
      {
        name: "tail",
        title: "p99 at half of full load",
        about:
          "`GET /v2/users` at an even rate, each server at half of its own full rate; counted from the time at which a request was due",
        unit: "ms",
        isHigherBetter: false,
        measurements,
        absences: absencesOf(
          plan,
          measurements.map(({ subject }) => subject),
          notMeasured,
        ),
      },
    ];
  } finally {
    for (const { process } of servings) await process.stop();
  }
}

/** Understudy and the bare server, if the run includes them. */
async function startOurs(plan: Plan): Promise<readonly Serving[]> {
  const servings: Serving[] = [];
  const { understudy, bare } = Object.fromEntries(plan.kinds.map((kind) => [kind.name, kind]));
  if (understudy === undefined) return servings;
  const first = await startServing(understudy, { ...plan, samples: [] }, firstPage);
  servings.push(first);
  const samples = [{ request: firstPage, response: await ask(first.url, firstPage) }];
  if (bare !== undefined) servings.push(await startServing(bare, { ...plan, samples }, firstPage));
  return servings;
}

async function slowestHundredth(plan: Plan, { port }: Serving, rate: number, file: string): Promise<number> {
  const words = [driver, String(port), String(rate), String(plan.effort.seconds), file];
  const { cores } = plan.tools;
  const launch = pinned({ command: process.execPath, words }, cores === undefined ? [] : [cores.load]);
  const output = await finished(launch);
  const result: unknown = JSON.parse(/^result (\{.*\})$/m.exec(output)?.[1] ?? "null");
  if (!isObject(result) || typeof result["p99"] !== "number") throw new Error(`no latencies: ${output.slice(-500)}`);
  if (result["failed"] !== 0) throw new Error(`${result["failed"]} responses at half of full load failed`);
  return result["p99"];
}

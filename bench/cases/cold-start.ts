import { ask } from "../load/request.ts";
import { median } from "../medians.ts";
import type { Plan } from "../plan.ts";
import type { CaseResult } from "../results.ts";
import { quickstart } from "../servers/quickstart.ts";
import { startServing, tryServing } from "../serving.ts";
import { absencesOf, didNotStart } from "./absences.ts";
import { firstPage } from "./list-users.ts";
import { peerSamples } from "./peer-samples.ts";

/** Time from the start of the process to its first page of users; every server in turn, after one warm-up start. */
export async function runColdStart(plan: Plan): Promise<readonly CaseResult[]> {
  const samples = await peerSamples(plan);
  const page = await pageOfQuickstart(plan);
  const able = plan.kinds.filter((kind) => kind.absence(plan.tools) === undefined);
  const rounds = new Map<string, number[]>(able.map(({ name }) => [name, []]));
  for (let round = 0; round <= plan.effort.starts; round += 1)
    for (const kind of able) {
      plan.tell(`start: ${kind.title}, ${round === 0 ? "once before" : `round ${round} of ${plan.effort.starts}`}`);
      const started = kind.name === "understudy" ? quickstart : kind;
      const given = kind.name === "bare" ? [page] : samples;
      const serving = await tryServing(started, { ...plan, samples: given }, firstPage);
      await serving?.process.stop();
      if (round > 0 && serving !== undefined) rounds.get(kind.name)?.push(serving.startMs);
    }
  const measured = new Map([...rounds].filter(([, times]) => times.length > 0));
  return [
    {
      name: "start",
      title: "start to first response",
      about: "from the start of the process to its first page of users; Understudy as `understudy serve`",
      unit: "ms",
      isHigherBetter: false,
      measurements: [...measured].map(([subject, times]) => ({ subject, value: median(times), rounds: times })),
      absences: absencesOf(plan, [...measured.keys()], didNotStart),
    },
  ];
}

async function pageOfQuickstart(plan: Plan) {
  const { url, process } = await startServing(quickstart, { ...plan, samples: [] }, firstPage);
  try {
    return { request: firstPage, response: await ask(url, firstPage) };
  } finally {
    await process.stop();
  }
}

import { ask, type LoadRequest } from "../load/request.ts";
import type { Plan } from "../plan.ts";
import type { Sample } from "../servers/_server.ts";
import { understudy } from "../servers/understudy.ts";
import { startServing } from "../serving.ts";
import type { TrafficSource } from "./_load-case.ts";
import { firstPage } from "./list-users.ts";
import { loadCases } from "./load-cases.ts";

/** Understudy's responses to the first requests of each case, by the case's name, and a page with all users. Each request is sent once. */
export async function samplesOf(source: TrafficSource): Promise<ReadonlyMap<string, readonly Sample[]>> {
  const samplesOf = async (requests: readonly LoadRequest[]) => {
    const samples: Sample[] = [];
    for (const each of requests) samples.push({ request: each, response: await ask(source.understudyUrl, each) });
    const failed = samples.find((sample) => sample.response.status !== 200);
    if (failed !== undefined) throw new Error(`Understudy responds ${failed.request.path}: ${failed.response.text}`);
    return samples;
  };
  const found = new Map<string, readonly Sample[]>();
  for (const { name, members, requests } of loadCases)
    found.set(name, await samplesOf((await requests(source, 0, members.length)).slice(0, members.length)));
  return found.set("everybody", await samplesOf([{ method: "GET", path: "/v2/users?pageSize=1000" }]));
}

/** All samples in one list, from a separate Understudy. */
export async function peerSamples({ workspace, tools }: Plan): Promise<readonly Sample[]> {
  const { url, process } = await startServing(understudy, { workspace, tools, samples: [] }, firstPage);
  try {
    return [...(await samplesOf({ fixture: workspace.fixture, understudyUrl: url })).values()].flat();
  } finally {
    await process.stop();
  }
}

import type { Plan } from "../plan.ts";
import { ask, askJson, fetchAt, type LoadRequest } from "../request.ts";
import type { Sample } from "../servers/_server.ts";
import { understudyServer } from "../servers/understudy.ts";
import { startServing } from "../serving.ts";
import type { World } from "../workspace.ts";
import { allTraffic } from "./all.ts";

export type Samples = ReadonlyMap<string, readonly Sample[]>;

/** Understudy's responses to the first requests of each kind of traffic, by its name, and to pages with many users. */
export async function samplesOf({ workspace, installs: [install] }: Plan, world: World): Promise<Samples> {
  if (install === undefined) throw new Error("invariant: this checkout is installed");
  const { url, process } = await startServing(understudyServer(install, world.scenario), { workspace, samples: [] });
  const send = fetchAt(url);
  const sampled = async (requests: readonly LoadRequest[]) => {
    const samples: Sample[] = [];
    for (const request of requests) samples.push({ request, response: await ask(send, request) });
    const failed = samples.find(({ response }) => response.status !== 200);
    if (failed !== undefined) throw new Error(`${failed.request.path}: ${failed.response.text}`);
    return samples;
  };
  try {
    const found = new Map<string, readonly Sample[]>();
    for (const { name, members, setUp, requests } of allTraffic) {
      for (const request of setUp?.(world) ?? []) await askJson(send, request);
      found.set(name, await sampled((await requests(world, 0, members.length, send)).slice(0, members.length)));
    }
    return found.set("everybody", await sampled([{ method: "GET", path: "/v2/users?pageSize=1000" }]));
  } finally {
    await process.stop();
  }
}

import type { Plan } from "../plan.ts";
import type { Subject } from "../rows.ts";
import { type Serving, startServing } from "../serving.ts";
import type { World } from "../workspace.ts";
import type { Sample, Server } from "./_server.ts";
import { mockoon } from "./mockoon.ts";
import { prism } from "./prism.ts";
import { specmatic } from "./specmatic.ts";
import { understudyServer } from "./understudy.ts";
import { wiremock } from "./wiremock.ts";

const peers: readonly Server[] = [prism, mockoon, wiremock, specmatic];

/** The peers that keep state, as far as their configuration allows. */
export const stateful: readonly Subject[] = ["mockoon", "wiremock"];

/** The measured Understudies, with a world. */
export function understudies({ installs }: Plan, { scenario }: World): readonly Server[] {
  return installs.map((install) => understudyServer(install, scenario));
}

export function peersOf({ hasPeers }: Plan): readonly Server[] {
  return hasPeers ? peers : [];
}

/** Starts the peers, if the run has them. One that does not start is noted, and the run continues without it. */
export async function startPeers(plan: Plan, samples: readonly Sample[]): Promise<readonly Serving[]> {
  const servings: Serving[] = [];
  for (const peer of peersOf(plan)) servings.push(...(await tryServing(plan, peer, samples)));
  return servings;
}

async function tryServing(plan: Plan, server: Server, samples: readonly Sample[]): Promise<readonly Serving[]> {
  plan.tell(`starting ${server.name}`);
  try {
    return [await startServing(server, { ...plan, samples })];
  } catch (error) {
    plan.note(error instanceof Error ? error.message : String(error));
    return [];
  }
}

import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Scenario } from "../files/load-scenario.ts";
import { worldOf } from "./draft.ts";
import { Observations } from "./observations.ts";
import { readWorld } from "./read-world.ts";

/**
 * The world of a recording before its first request, as a scenario without steps. A program that continues a recording also sends the replayed requests to a stub of this world, so that it reaches
 * the state after them. The default profile is the likeliest one.
 */
export async function inferWorld(
  exchanges: AsyncIterable<Exchange> | Iterable<Exchange>,
  profile?: string,
): Promise<Scenario> {
  const { value: observations } = await readWorld(exchanges, { world: undefined, create: () => new Observations() });
  const chosen = profile ?? observations.profiles[0] ?? "spec";
  return worldOf(observations.initialState(chosen), { profile: chosen, name: "recorded-world", plan: [] });
}

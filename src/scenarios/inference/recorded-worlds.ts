import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Scenario } from "../files/load-scenario.ts";
import { type Call, createCallReader, type ReadCall } from "./call.ts";
import { worldOf } from "./draft.ts";
import { Observations } from "./observations.ts";
import { ProfileDetector } from "./profile-detector.ts";
import { defaultWorld, readWorld } from "./read-world.ts";

/** Worlds of one recording; the calls of further ones are read as calls of the default world. */
const worldsMax = 1000;

/** The worlds of a recording, inferred from all its exchanges in one pass. Stores no exchanges. */
export class RecordedWorlds {
  readonly #read: ReadCall = createCallReader();
  readonly #detector = new ProfileDetector();
  readonly #worlds = new Map<string, Observations>([[defaultWorld, new Observations()]]);

  note(exchange: Exchange): void {
    const call = this.callOf(exchange);
    if (call === undefined) return;
    this.#detector.note(call);
    const known = this.#worlds.get(call.world);
    const observations = known ?? this.#worlds.get(defaultWorld);
    if (known !== undefined || this.#worlds.size >= worldsMax) observations?.note(call);
    else {
      const added = new Observations();
      this.#worlds.set(call.world, added);
      added.note(call);
    }
  }

  /** The call of an exchange; undefined for an unknown operation. */
  callOf(exchange: Exchange): Call | undefined {
    return this.#read(exchange);
  }

  /** The profiles that match the responses, the likeliest first. */
  get profiles(): readonly string[] {
    return this.#detector.candidates;
  }

  /** The version that the node reports; empty if the recording does not have it. */
  get version(): string {
    return this.#detector.version;
  }

  get names(): readonly string[] {
    return [...this.#worlds.keys()];
  }

  /** A world in a profile. Throws NotPlayable if the responses contradict each other. */
  world(name: string, profile: string): Scenario {
    const observations = this.#worlds.get(name) ?? new Observations();
    return worldOf(observations.initialState(profile), profile, name);
  }
}

/**
 * The world of a recording before its first request, as a scenario without steps. Its plan holds the reassignments
 * that no request caused. A program that continues a recording also sends the replayed requests to a stub of this world, so that it reaches
 * the state after them. The default profile is the likeliest one.
 */
export async function inferWorld(
  exchanges: AsyncIterable<Exchange> | Iterable<Exchange>,
  profile?: string,
): Promise<Scenario> {
  const { value: observations } = await readWorld(exchanges, { world: undefined, create: () => new Observations() });
  const chosen = profile ?? observations.profiles[0] ?? "spec";
  return worldOf(observations.initialState(chosen), chosen, "recorded-world");
}

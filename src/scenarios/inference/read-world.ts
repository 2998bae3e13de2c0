import type { Exchange } from "../../foundation/http/exchange.ts";
import { createCallReader, type RecordedCall } from "./recorded-call.ts";

/** The calls of one world of a recording, collected in `value`. */
export interface WorldReading<Value> {
  readonly world: string;
  readonly value: Value;
  /** The numbers of calls in other worlds, which are skipped, by world. */
  readonly otherWorlds: ReadonlyMap<string, number>;
}

interface Collector {
  note(call: RecordedCall): void;
}

interface ReadWorldOptions<Value extends Collector> {
  /** The world to read. Undefined: the default world, or the first other one if the default world has no traffic. */
  readonly world: string | undefined;
  readonly create: () => Value;
  /** Calls to read; the others are ignored. Default: all. */
  readonly isRelevant?: (call: RecordedCall) => boolean;
  readonly onUnknownOperation?: (exchange: Exchange) => void;
}

export const defaultWorld = "default";

/** Worlds of one recording that are counted. */
const worldsMax = 1000;

/** Reads one world of a recording in one pass: worlds are independent of each other, and one scenario holds one world. */
export async function readWorld<Value extends Collector>(
  exchanges: AsyncIterable<Exchange> | Iterable<Exchange>,
  { world, create, isRelevant, onUnknownOperation }: ReadWorldOptions<Value>,
): Promise<WorldReading<Value>> {
  const read = createCallReader();
  const counts = new Map<string, number>();
  const candidates = new Map(world === undefined ? [] : [[world, create()] as const]);
  const withTraffic = new Set<string>();
  let firstNamed: string | undefined;
  for await (const exchange of exchanges) {
    const call = read(exchange);
    if (call === undefined) {
      onUnknownOperation?.(exchange);
      continue;
    }
    if (isRelevant?.(call) === false) continue;
    if (counts.has(call.world) || counts.size < worldsMax) counts.set(call.world, (counts.get(call.world) ?? 0) + 1);
    if (call.world !== defaultWorld) firstNamed ??= call.world;
    if (world === undefined && (call.world === defaultWorld || call.world === firstNamed))
      if (!candidates.has(call.world)) candidates.set(call.world, create());
    candidates.get(call.world)?.note(call);
    if (call.operation.api !== "control") withTraffic.add(call.world);
  }
  const usual = [defaultWorld, ...(firstNamed === undefined ? [] : [firstNamed])];
  const chosen =
    world ?? usual.find((name) => withTraffic.has(name)) ?? usual.find((name) => counts.has(name)) ?? defaultWorld;
  counts.delete(chosen);
  return { world: chosen, value: candidates.get(chosen) ?? create(), otherWorlds: counts };
}

const worldsShown = 10;

/** Worlds with their numbers of calls, for a message. */
export function worldList(worlds: ReadonlyMap<string, number>): string {
  const shown = [...worlds].slice(0, worldsShown).map(([name, count]) => `${name} (${count})`);
  return [...shown, ...(worlds.size > worldsShown ? [`${worlds.size - worldsShown} more`] : [])].join(", ");
}

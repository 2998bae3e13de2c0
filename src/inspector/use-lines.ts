import { useRef, useState } from "preact/hooks";
import { controlApi, type Traffic, type TrafficLine, type WorldSeen } from "./control-api.ts";
import { useLatest } from "./use-latest.ts";

/** The lines of traffic that have been fetched, in order of their numbers. */
export interface Lines {
  readonly lines: readonly TrafficLine[];
  /** What the stub refused, in its own words. */
  readonly problem?: string;
}

interface Known {
  readonly lines: readonly TrafficLine[];
  readonly epoch: number | undefined;
}

/** As many as the API gives at once. */
const pageLines = 10_000;

const nothing: Known = { lines: [], epoch: undefined };

/** The traffic of a world, fetched in pages after the last line that is known, from the start again after a reset. */
export function useLines(world: WorldSeen): Lines {
  const known = useRef(nothing);
  const [{ lines }, show] = useState(nothing);
  const { problem } = useLatest(async (isWanted) => {
    let isThere = false;
    while (!isThere && isWanted()) {
      const page = await controlApi.traffic(world.id, lastOf(known.current), pageLines);
      known.current = joined(known.current, page);
      isThere = lastOf(known.current) >= page.last || (page.lines.length === 0 && known.current !== nothing);
      show(known.current);
    }
  }, `${world.epoch} ${world.last}`);
  return problem === undefined ? { lines } : { lines, problem };
}

function lastOf({ lines }: Known): number {
  return lines.at(-1)?.number ?? 0;
}

/** Lines of an earlier epoch are of no use, nor is a page that was asked for after one of them. */
function joined(known: Known, page: Traffic): Known {
  if (known.epoch !== undefined && known.epoch !== page.epoch && known.lines.length > 0) return nothing;
  const dropped = known.lines.findIndex(({ number }) => number >= page.first);
  const kept = dropped === -1 ? [] : known.lines.slice(dropped);
  return { lines: [...kept, ...page.lines], epoch: page.epoch };
}

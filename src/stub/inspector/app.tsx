import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf } from "./parts/address.ts";
import type { WorldStatus } from "./parts/control-api.ts";
import { useLive } from "./parts/use-live.ts";
import { TimelineView } from "./timeline/timeline-view.tsx";
import { TrafficView } from "./traffic/traffic-view.tsx";
import { VerdictView } from "./verdict/verdict-view.tsx";
import { WorldView } from "./world/world-view.tsx";

/** What every view gets: the world at which one looks, and the exchange that is selected. */
export interface ViewProps {
  readonly world: WorldStatus;
  /** The number of an exchange; 0 for none. */
  readonly selected: number;
  readonly select: (number: number) => void;
}

const views = [
  { name: "traffic", title: "Traffic", View: TrafficView, isOfWorld: false },
  { name: "world", title: "World", View: WorldView, isOfWorld: true },
  { name: "timeline", title: "Timeline", View: TimelineView, isOfWorld: true },
  { name: "verdict", title: "Verdict", View: VerdictView, isOfWorld: false },
] as const;

/** The address after # names view, world and exchange, so that a reload and a link show the same. */
interface Place {
  readonly view: string;
  readonly world: string;
  readonly selected: number;
}

function placeOf(hash: string): Place {
  const [view = "", world = "", number = ""] = hash.replace(/^#\/?/, "").split("/").map(decoded);
  return {
    view: views.some(({ name }) => name === view) ? view : "traffic",
    world: world === "" ? "default" : world,
    selected: /^\d+$/.test(number) ? Number(number) : 0,
  };
}

/** Somebody may have written the address by hand. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function App() {
  const [place, setPlace] = useState(placeOf(location.hash));
  const live = useLive();
  useEffect(() => {
    const follow = () => setPlace(placeOf(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const go = (to: Partial<Place>) => {
    const { view, world: id, selected } = { ...place, ...to };
    location.hash = addressOf(view, id, selected);
  };
  const world = live.worlds.find(({ id }) => id === place.world);
  // Of what a recorder takes only the traffic is known.
  const shown = views.filter(({ isOfWorld }) => !isOfWorld || world?.hasState !== false);
  const { View, name: current } = shown.find(({ name }) => name === place.view) ?? views[0];
  useReset(world, () => go({ selected: 0 }));
  return (
    <>
      <header>
        <h1>Understudy</h1>
        <nav aria-label="Views">
          {shown.map(({ name, title }) => (
            <a
              key={name}
              href={addressOf(name, place.world, place.selected)}
              aria-current={name === current ? "page" : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        <label>
          World{" "}
          <select value={place.world} onChange={({ currentTarget }) => go({ world: currentTarget.value, selected: 0 })}>
            {live.worlds.map(({ id, last }) => (
              <option key={id} value={id}>
                {id} ({last})
              </option>
            ))}
            {world === undefined && <option value={place.world}>{place.world} (gone)</option>}
          </select>
        </label>
        <output class={live.isLive ? "live" : "gone"}>{live.isLive ? "live" : "not connected"}</output>
      </header>
      <main>
        {world === undefined ? (
          <p class="empty">{live.isLive ? `There is no world ${place.world}.` : "Waiting for the stub…"}</p>
        ) : (
          <View key={world.id} world={world} selected={place.selected} select={(selected) => go({ selected })} />
        )}
      </main>
    </>
  );
}

/** After a reset the numbers are those of other exchanges; nothing is asked of them until somebody selects one. */
function useReset(world: WorldStatus | undefined, forget: () => void): void {
  const known = useRef(world);
  useEffect(() => {
    if (world === undefined) return;
    if (known.current?.id === world.id && known.current.epoch !== world.epoch) forget();
    known.current = world;
  }, [world]);
}

import { useEffect, useState } from "preact/hooks";
import { addressOf } from "./address.ts";
import type { WorldSeen } from "./control-api.ts";
import { TimelineView } from "./timeline-view.tsx";
import { TrafficView } from "./traffic-view.tsx";
import { useLive } from "./use-live.ts";
import { VerdictView } from "./verdict-view.tsx";
import { WorldView } from "./world-view.tsx";

/** What every view gets: the world at which one looks, and the exchange that is selected. */
export interface ViewProps {
  readonly world: WorldSeen;
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
  const [view = "", world = "", number = ""] = hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  return {
    view: views.some(({ name }) => name === view) ? view : "traffic",
    world: world === "" ? "default" : world,
    selected: /^\d+$/.test(number) ? Number(number) : 0,
  };
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
  const shown = views.filter(({ isOfWorld }) => !isOfWorld || world?.isKnown !== false);
  const { View } = shown.find(({ name }) => name === place.view) ?? views[0];
  return (
    <>
      <header>
        <h1>Understudy</h1>
        <nav aria-label="Views">
          {shown.map(({ name, title }) => (
            <a
              key={name}
              href={addressOf(name, place.world, place.selected)}
              aria-current={name === place.view ? "page" : undefined}
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

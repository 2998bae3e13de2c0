import { useEffect, useRef, useState } from "preact/hooks";
import { percentDecoded } from "../../foundation/text/percent-decoded.ts";
import { StubFacts, TopBar } from "./frame/top-bar.tsx";
import { addressOf } from "./parts/address.ts";
import type { WorldStatus, WorldStatuses } from "./parts/control-api.ts";
import { sidesOf } from "./parts/problems.ts";
import { useLive } from "./parts/use-live.ts";
import { TimelineView } from "./timeline/timeline-view.tsx";
import { TrafficView } from "./traffic/traffic-view.tsx";
import { VerdictView } from "./verdict/verdict-view.tsx";
import { WorldView } from "./world/world-view.tsx";
import "./parts/page-parts.css";

const views = [
  { name: "traffic", title: "Traffic", View: TrafficView, needsState: false },
  { name: "world", title: "World", View: WorldView, needsState: true },
  { name: "timeline", title: "Timeline", View: TimelineView, needsState: true },
  { name: "verdict", title: "Verdict", View: VerdictView, needsState: false },
] as const;

/** The URL fragment: view, world and exchange. Reloads and links show the same content. */
interface PageLocation {
  readonly view: string;
  readonly world: string;
  readonly selected: number;
}

function locationOf(hash: string): PageLocation {
  const [view = "", world = "", number = ""] = hash.replace(/^#\/?/, "").split("/").map(percentDecoded);
  return {
    view: views.some(({ name }) => name === view) ? view : "traffic",
    world: world === "" ? "default" : world,
    selected: /^\d+$/.test(number) ? Number(number) : 0,
  };
}

export function App() {
  const [location, setLocation] = useState(locationOf(window.location.hash));
  const live = useLive();
  const [areBothShown, showBoth] = useState(false);
  useEffect(() => {
    const follow = () => setLocation(locationOf(window.location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const go = (to: Partial<PageLocation>) => {
    const { view, world: id, selected } = { ...location, ...to };
    window.location.hash = addressOf(view, id, selected);
  };
  const world = live.stub?.worlds.find(({ id }) => id === location.world);
  // Recorded traffic has no world state, so the views of the state are hidden.
  const shown = views.filter(({ needsState }) => !needsState || world?.hasState !== false);
  const { View, name: current } = shown.find(({ name }) => name === location.view) ?? views[0];
  useReset(world, () => go({ selected: 0 }));
  const baseUrl = live.stub === undefined ? "" : baseUrlOf(live.stub, location.world);
  const links = shown.map(({ name, title }) => ({
    title,
    href: addressOf(name, location.world, location.selected),
    isCurrent: name === current,
  }));
  return (
    <>
      <SkipLink />
      <TopBar views={links} isLive={live.isLive}>
        {live.stub !== undefined && (
          <StubFacts
            stub={live.stub}
            world={world}
            worldId={location.world}
            baseUrl={baseUrl}
            choose={(id) => go({ world: id, selected: 0 })}
          />
        )}
      </TopBar>
      <main id="content" tabIndex={-1}>
        {world === undefined ? (
          <p class="empty">
            {live.isLive ? `There is no world ${location.world}. Select another world.` : "Waiting for the stub…"}
          </p>
        ) : (
          <View
            key={world.id}
            world={world}
            baseUrl={baseUrl}
            selected={location.selected}
            select={(selected) => go({ selected })}
            sides={sidesOf(world, areBothShown)}
            showBoth={showBoth}
          />
        )}
      </main>
    </>
  );
}

/** Moves the focus past the bar. A button, since the fragment of the address belongs to the view. */
function SkipLink() {
  return (
    <button type="button" class="skip" onClick={() => document.getElementById("content")?.focus()}>
      Skip to content
    </button>
  );
}

/** Clears the selection after a reset, since exchange numbers restart at 1. */
function useReset(world: WorldStatus | undefined, forget: () => void): void {
  const known = useRef(world);
  useEffect(() => {
    if (world === undefined) return;
    if (known.current?.id === world.id && known.current.epoch !== world.epoch) forget();
    known.current = world;
  }, [world]);
}

/** The base URL for clients of a world. Worlds other than `default` are served under a path of their own. */
function baseUrlOf({ clientUrl }: Pick<WorldStatuses, "clientUrl">, worldId: string): string {
  return `${clientUrl ?? location.origin}${worldId === "default" ? "" : `/w/${worldId}`}`;
}

import type { components } from "../../inspection/generated/control-types.ts";

type Schemas = components["schemas"];
export type World = Schemas["World"];
export type WorldStatus = Schemas["WorldStatus"];
export type WorldStatuses = Schemas["WorldStatuses"];
export type Traffic = Schemas["Traffic"];
export type TrafficLine = Schemas["TrafficLine"];
export type InspectedExchange = Schemas["InspectedExchange"];
export type InspectedMessage = Schemas["InspectedMessage"];
export type BrokenRule = Schemas["BrokenRule"];
export type TablePage = Schemas["TablePage"];
export type Timeline = Schemas["Timeline"];
export type WorldVerdict = Schemas["WorldVerdict"];

const root = "/__understudy";

/** What the control API refused, in its own words. */
export class Refused extends Error {}

async function ask<HandlerResponse>(path: string, init: RequestInit = {}): Promise<HandlerResponse> {
  const response = await fetch(`${root}${path}`, init);
  const body: { readonly error?: string } & HandlerResponse = await response.json();
  if (!response.ok) throw new Refused(body.error ?? `The stub answered ${response.status}.`);
  return body;
}

function tell<HandlerResponse>(path: string, body: object = {}): Promise<HandlerResponse> {
  return ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

function worldPath(world: string): string {
  return `/worlds/${encodeURIComponent(world)}`;
}

/** The control API as functions; each rejects with `Refused` where the stub refuses, and with a TypeError where it is gone. */
export const controlApi = {
  worlds: () => ask<Schemas["Worlds"]>("/worlds"),
  world: (world: string) => ask<World>(worldPath(world)),
  traffic: (world: string, after: number, limit: number) =>
    ask<Traffic>(`${worldPath(world)}/traffic?after=${after}&limit=${limit}`),
  exchange: (world: string, number: number) => ask<InspectedExchange>(`${worldPath(world)}/traffic/${number}`),
  table: (
    world: string,
    table: string,
    query: { readonly at?: number; readonly search?: string; readonly after?: string; readonly limit?: number },
  ) => {
    const given = Object.entries(query).map(([name, value]) => [name, String(value)]);
    return ask<TablePage>(`${worldPath(world)}/tables/${table}?${new URLSearchParams(given)}`);
  },
  timeline: (world: string) => ask<Timeline>(`${worldPath(world)}/timeline`),
  verdict: (world: string) => ask<WorldVerdict>(`${worldPath(world)}/verdict`),
  reportUrl: (world: string) => `${root}${worldPath(world)}/report`,
  fork: (world: string, at?: number) =>
    tell<Schemas["Fork"]>(`${worldPath(world)}/fork`, at === undefined ? {} : { at }),
  remove: (world: string) => ask<object>(worldPath(world), { method: "DELETE" }),
  reset: (world: string) => tell<World>(`${worldPath(world)}/reset`),
  advance: (world: string, by: string) => tell<World>(`${worldPath(world)}/clock/advance`, { by }),
  beginReassignment: (world: string, contract: string, to: string) =>
    tell<World>(`${worldPath(world)}/reassignments/begin`, { contract, to }),
  completeReassignment: (world: string, contract: string) =>
    tell<World>(`${worldPath(world)}/reassignments/complete`, { contract }),
  plan: (world: string, entry: object) => tell<World>(`${worldPath(world)}/plan`, { plan: [entry] }),
};

/** So long after the browser gave up it is tried again: it does where something else answered, or no stream was left. */
const againMs = 2_000;

/**
 * Tells how far each world has come, whenever it changes; `isLive` is false while the stub is gone. A page that nobody
 * sees listens to nothing: a browser has few connections to a stub, and each listener takes one. Gives the way to stop.
 */
export function watchWorlds(seen: (worlds: WorldStatuses) => void, isLive: (live: boolean) => void): () => void {
  let source: EventSource | undefined;
  let again: number | undefined;
  const open = () => {
    close();
    if (document.hidden) return;
    const opened = new EventSource(`${root}/events`);
    opened.addEventListener("change", (event: MessageEvent<string>) => seen(JSON.parse(event.data)));
    opened.addEventListener("open", () => isLive(true));
    opened.addEventListener("error", () => {
      isLive(false);
      if (opened.readyState === EventSource.CLOSED) again = window.setTimeout(open, againMs);
    });
    source = opened;
  };
  const close = () => {
    clearTimeout(again);
    source?.close();
  };
  document.addEventListener("visibilitychange", open);
  open();
  return () => {
    document.removeEventListener("visibilitychange", open);
    close();
  };
}

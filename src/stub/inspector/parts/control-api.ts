import type { components } from "../../control/generated/control-types.ts";

type Schemas = components["schemas"];
type World = Schemas["World"];
export type WorldStatus = Schemas["WorldStatus"];
export type WorldStatuses = Schemas["WorldStatuses"];
export type ShownLedgerAccess = Schemas["LedgerAccess"];
export type Traffic = Schemas["Traffic"];
export type TrafficLine = Schemas["TrafficLine"];
export type InspectedExchange = Schemas["InspectedExchange"];
export type InspectedMessage = Schemas["InspectedMessage"];
type BrokenRule = Schemas["BrokenRule"];
type BrokenClientRule = Schemas["BrokenClientRule"];
/** A rule that the response breaks, or a client rule that the request breaks. */
export type Broken = BrokenRule | BrokenClientRule;
export type ShownClientFinding = Schemas["ClientFinding"];
export type TablePage = Schemas["TablePage"];
export type TableName = Schemas["TableName"];
export type Timeline = Schemas["Timeline"];
export type WorldVerdict = Schemas["WorldVerdict"];

const root = "/__understudy";

/** A refusal by the control API, with its error message. */
class Refused extends Error {}

async function request<Body>(path: string, init: RequestInit = {}): Promise<Body> {
  const response = await fetch(`${root}${path}`, init);
  const body: Partial<Schemas["Problem"]> & Body = await response.json();
  if (!response.ok) throw new Refused(body.error ?? `The stub responded with status ${response.status}.`);
  return body;
}

function post<Body>(path: string, body: object = {}): Promise<Body> {
  return request(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

function worldPath(world: string): string {
  return `/worlds/${encodeURIComponent(world)}`;
}

/** Functions of the control API. They reject with `Refused` on an error status, and with a TypeError if the stub is not reachable. */
export const controlApi = {
  traffic: (world: string, after: number, limit: number) =>
    request<Traffic>(`${worldPath(world)}/traffic?after=${after}&limit=${limit}`),
  exchange: (world: string, number: number) => request<InspectedExchange>(`${worldPath(world)}/traffic/${number}`),
  table: (
    world: string,
    table: TableName,
    query: { readonly at?: number; readonly search?: string; readonly after?: string; readonly limit?: number },
  ) => {
    const given = Object.entries(query).map(([name, value]) => [name, String(value)]);
    return request<TablePage>(`${worldPath(world)}/tables/${table}?${new URLSearchParams(given)}`);
  },
  access: (world: string) => request<ShownLedgerAccess>(`${worldPath(world)}/access`),
  timeline: (world: string) => request<Timeline>(`${worldPath(world)}/timeline`),
  verdict: (world: string) => request<WorldVerdict>(`${worldPath(world)}/verdict`),
  rule: (id: string) => request<Schemas["RuleText"]>(`/rules/${encodeURIComponent(id)}`),
  reportUrl: (world: string) => `${root}${worldPath(world)}/report`,
  fork: (world: string, at?: number) =>
    post<Schemas["Fork"]>(`${worldPath(world)}/fork`, at === undefined ? {} : { at }),
  remove: (world: string) => request<object>(worldPath(world), { method: "DELETE" }),
  reset: (world: string) => post<World>(`${worldPath(world)}/reset`),
  advance: (world: string, by: string) => post<World>(`${worldPath(world)}/clock/advance`, { by }),
  beginReassignment: (world: string, contract: string, to: string) =>
    post<World>(`${worldPath(world)}/reassignments/begin`, { contract, to }),
  completeReassignment: (world: string, contract: string) =>
    post<World>(`${worldPath(world)}/reassignments/complete`, { contract }),
  plan: (world: string, entry: object) => post<World>(`${worldPath(world)}/plan`, { plan: [entry] }),
};

/** Delay before reconnecting after the browser gave up, for example when no event stream was free. */
const reconnectMs = 2_000;

/**
 * Calls `seen` with the status of all worlds after each change; calls `isLive` when the connection opens or fails. A hidden
 * page closes its stream, since browsers limit the connections to a server. Returns the function that stops watching.
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
      if (opened.readyState === EventSource.CLOSED) again = window.setTimeout(open, reconnectMs);
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

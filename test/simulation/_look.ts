import type { HandlerResponse } from "../../src/foundation/http/handler.ts";
import { isJsonObject, type Json, type JsonObject, jsonOf } from "../../src/foundation/json/json.ts";
import { shownTable, tableNames } from "../../src/stub/inspection/tables.ts";
import type { EventOf } from "./_by-hand.ts";
import type { Sight } from "./_event.ts";
import type { Simulation } from "./_simulation.ts";
import type { WatchedWorld } from "./_watched-world.ts";

/** Reads a world through the inspection API and compares it with the state. Reading changes nothing. */
export async function look(simulation: Simulation, { world, at }: EventOf<"look">): Promise<string> {
  const id = simulation.idOf(world);
  const watched = simulation.worldOf(world);
  if (at === "events") return events(simulation);
  for (const path of pathsOf(at, watched)) {
    const response = await simulation.control("GET", `/__understudy/worlds${at === "worlds" ? "" : `/${id}${path}`}`);
    const problem = problemIn(at, response, simulation, watched);
    if (problem !== undefined) simulation.breaks(`look at ${at}`, `${path}: ${problem}`);
  }
  return "";
}

function pathsOf(at: Sight, { hosted: { journal } }: WatchedWorld): readonly string[] {
  const oldest = journal.dropped + 1;
  switch (at) {
    case "worlds":
    case "world":
      return [""];
    case "traffic":
      return ["/traffic", `/traffic?after=${Math.max(0, journal.last - 5)}&limit=3`];
    case "exchange":
      return journal.last < oldest ? [] : [`/traffic/${oldest}`, `/traffic/${journal.last}`];
    case "tables":
      return tableNames.map((name) => `/tables/${name}?limit=1000`);
    case "tables-then":
      return journal.last < oldest ? [] : [`/tables/users?limit=1000&at=${oldest}`, "/tables/holdings?at=0"];
    default:
      return [`/${at}`];
  }
}

/** The difference between the response and the state; undefined if they agree. */
function problemIn(
  at: Sight,
  response: HandlerResponse,
  simulation: Simulation,
  watched: WatchedWorld,
): string | undefined {
  if (response.type === "broken" || response.status !== 200)
    return `gets ${response.type === "broken" ? response.kind : response.status}`;
  if (at === "report") return response.body.size === 0 ? "it is empty" : undefined;
  const json = jsonOf(response.body.text());
  if (!isJsonObject(json)) return "it is not a JSON object";
  const { journal } = watched.hosted;
  const { ledger, registry } = watched.state;
  switch (at) {
    case "worlds":
      return unlike(lengthOf(json["worlds"]), simulation.hosting.worlds.size, "worlds");
    case "world":
      return (
        unlike(json["journalled"], journal.exchanges.length, "exchanges") ??
        unlike(lengthOf(json["contracts"]), registry.contracts.size, "contracts")
      );
    case "journal":
      return (
        unlike(json["dropped"], journal.dropped, "dropped") ??
        unlike(lengthOf(json["exchanges"]), journal.last - journal.dropped, "exchanges")
      );
    case "client-rules":
      return unlike(lengthOf(json["faults"]), 0, "faults of client rules");
    case "traffic":
      return unlike(json["last"], journal.last, "exchanges");
    case "tables":
      return Array.isArray(json["rows"]) && json["next"] === null ? tableProblem(json, watched) : "it has no rows";
    default:
      return ledger === watched.state.ledger ? undefined : "the read changed the ledger";
  }
}

/** A complete table has exactly the rows of the state. */
function tableProblem(json: JsonObject, { state }: WatchedWorld): string | undefined {
  const ids = Array.isArray(json["rows"]) ? json["rows"].map((row: Json) => (isJsonObject(row) ? row["id"] : "")) : [];
  const sizes = tableNames.map((name) => shownTable(state, name).table.size);
  return sizes.some((size) => ids.length <= size) && new Set(ids).size === ids.length
    ? undefined
    : "it shows rows that do not exist";
}

function lengthOf(list: Json | undefined): number {
  return Array.isArray(list) ? list.length : -1;
}

function unlike(received: Json | undefined, expected: number, of: string): string | undefined {
  return received === expected ? undefined : `${String(received)} ${of}, and there are ${expected}`;
}

/** Each event names the worlds that there are. */
async function events(simulation: Simulation): Promise<string> {
  const received = await simulation.events(() => simulation.hosting.touched("default"));
  const texts = received.split("\n\n").filter((text) => text !== "");
  for (const text of texts) {
    const json = jsonOf(/^data: (.*)$/m.exec(text)?.[1] ?? "");
    const worlds = isJsonObject(json) ? lengthOf(json["worlds"]) : -1;
    const problem = unlike(worlds, simulation.hosting.worlds.size, "worlds");
    if (problem !== undefined) simulation.breaks("look at events", problem);
  }
  if (texts.length === 0) simulation.breaks("look at events", "no event arrived");
  return `${texts.length} events`;
}

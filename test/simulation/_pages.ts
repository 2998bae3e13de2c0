import { isJsonObject, type Json, jsonOf } from "../../src/foundation/json/json.ts";
import { valueAt } from "../../src/foundation/spec/operation.ts";
import type { Call } from "./_event.ts";
import { plannedResponse } from "./_met.ts";
import type { Simulation } from "./_simulation.ts";
import type { WatchedWorld } from "./_watched-world.ts";

/** More pages than any list here has. */
const pagesMax = 100;

/** A client that lists all users gets each of them once, by ascending id, unless users change meanwhile. */
export async function listAll(simulation: Simulation, world: number, size: number): Promise<string> {
  const watched = simulation.worldOf(world);
  const { users } = watched.state.ledger;
  const listed: string[] = [];
  let pageToken = "";
  for (let page = 1; page <= pagesMax; page += 1) {
    const found = await pageAfter(simulation, { world, watched, size, pageToken });
    if (found === undefined) return `${page - 1} pages, and no more`;
    listed.push(...found.ids);
    pageToken = found.next;
    if (pageToken !== "") continue;
    const ids = expectedIds(simulation, watched);
    if (watched.state.ledger.users === users && ids !== undefined && listed.join() !== ids.join())
      simulation.breaks("pages", `they list ${listed.join()}, and there are ${ids.join()}`);
    return `${listed.length} users on ${page} pages`;
  }
  simulation.breaks("pages", `there are more than ${pagesMax}`);
  return "no end";
}

interface Place {
  readonly world: number;
  readonly watched: WatchedWorld;
  readonly size: number;
  readonly pageToken: string;
}

/** Undefined where the page was refused, is held back or was served by the plan. */
async function pageAfter(
  simulation: Simulation,
  { world, watched, size, pageToken }: Place,
): Promise<{ readonly ids: readonly string[]; readonly next: string } | undefined> {
  const before = watched.state;
  const response = await simulation.send({ world, call: callOf(size, pageToken) });
  if (response?.type !== "response" || response.status !== 200) return undefined;
  if (plannedResponse(before, watched.state) !== "no") return undefined;
  const json = jsonOf(response.body.text());
  const rows: Json = isJsonObject(json) ? (json["users"] ?? null) : null;
  const next = json === undefined ? undefined : valueAt(json, "/nextPageToken");
  if (!Array.isArray(rows)) return undefined;
  return {
    ids: rows.map((row: Json) => String(isJsonObject(row) ? row["id"] : "")),
    next: typeof next === "string" ? next : "",
  };
}

function callOf(size: number, pageToken: string): Call {
  const query = { pageSize: size, pageToken: pageToken === "" ? null : pageToken };
  return {
    step: {
      operationId: "getV2Users",
      path: {},
      query,
      body: undefined,
      rawBody: undefined,
      token: "administrator",
    },
    via: "path",
    mangled: [],
  };
}

/** The spec lists all users, releases those of the default identity provider; what others see is not foretold. */
function expectedIds({ beginning }: Simulation, { state }: WatchedWorld): readonly string[] | undefined {
  const { users } = state.ledger;
  const isByUser = beginning.authentication === "user" || beginning.authentication === "jwt";
  if (isByUser && users.get("participant_admin")?.rights.has("ParticipantAdmin") !== true) return undefined;
  const isListed = (provider: string) => beginning.profile === "spec" || provider === "";
  return [...users.values()].flatMap(({ id, identityProviderId }) => (isListed(identityProviderId) ? [id] : []));
}

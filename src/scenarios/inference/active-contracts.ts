import { isSameJson, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { listOf, objectOf, objectsOf } from "../../foundation/json/members.ts";

/** Whether an operation lists active contracts. */
export function isActiveList(operationId: string): boolean {
  return operationId === "postV2StateActive-contracts" || operationId === "postV2StateActive-contracts-page";
}

/** The entries of a list of active contracts: whole, or a page. */
export function activeIn(response: Json | undefined): readonly JsonObject[] {
  return objectsOf(Array.isArray(response) ? listOf(response) : objectOf(response)["activeContracts"]);
}

/** The contract of an entry with its synchronizer; empty for one that is being reassigned. */
export function activeOf(entry: JsonObject): JsonObject {
  return objectOf(objectOf(entry["contractEntry"])["JsActiveContract"]);
}

/** The created event of an entry. */
export function createdIn(entry: JsonObject): JsonObject {
  return objectOf(activeOf(entry)["createdEvent"]);
}

/** Members of a created event that say where it is in the history of a node, which a fixture does not have. */
const places: ReadonlySet<string> = new Set(["offset", "nodeId"]);

/** The members that differ, with the number of contracts in which they do. All members of a contract that is not played differ. */
export function differingMembers(
  recorded: readonly JsonObject[],
  played: readonly JsonObject[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const others = new Map(played.map((entry) => [createdIn(entry)["contractId"], membersOf(entry)]));
  for (const entry of recorded) {
    const other = others.get(createdIn(entry)["contractId"]);
    for (const [name, value] of Object.entries(membersOf(entry)))
      if (!places.has(name) && !isSameJson(value, other?.[name])) count(name);
  }
  return counts;
}

function membersOf(entry: JsonObject): JsonObject {
  const { createdEvent: _, ...more } = activeOf(entry);
  return { ...createdIn(entry), ...more };
}

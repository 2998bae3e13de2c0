import type { World } from "../../simulator/world/world.ts";

/** What became of a step of a reassignment. `unknown` names something that is not there; `conflict` comes too early or too late. */
export type ReassignmentResult =
  | { readonly type: "done" }
  | { readonly type: "unknown" | "conflict"; readonly problem: string };

/** Unassigns a contract of the registry fixture; `to` is the alias of a synchronizer of the ledger fixture. */
export function beginReassignment(world: World, contract: string, to: string): ReassignmentResult {
  const { ledger, registry } = world.state;
  const found = registry.contracts.get(contract);
  if (found === undefined)
    return unknown(`The registry has no contract ${JSON.stringify(contract)}`, names(registry.contracts.entries()));
  const synchronizers = [...ledger.synchronizers.values()];
  const target = synchronizers.find(({ alias }) => alias === to);
  if (target === undefined)
    return unknown(
      `The ledger has no synchronizer ${JSON.stringify(to)}`,
      synchronizers.map(({ alias }) => alias),
    );
  if (found.assignment.type === "in-flight") return conflict(`${contract} is being reassigned already.`);
  if (found.assignment.synchronizerId === target.id) return conflict(`${contract} is assigned to ${to} already.`);
  world.perform([{ type: "reassignment-begun", contract, target: target.id }]);
  return { type: "done" };
}

/** Assigns a contract that is on its way to the synchronizer that it is on its way to. */
export function completeReassignment(world: World, contract: string): ReassignmentResult {
  const { contracts } = world.state.registry;
  const found = contracts.get(contract);
  if (found === undefined)
    return unknown(`The registry has no contract ${JSON.stringify(contract)}`, names(contracts.entries()));
  if (found.assignment.type !== "in-flight") return conflict(`${JSON.stringify(contract)} is not being reassigned.`);
  world.completeReassignment(contract);
  return { type: "done" };
}

function names(entries: Iterable<readonly [string, unknown]>): readonly string[] {
  return [...entries].map(([name]) => name);
}

function unknown(problem: string, known: readonly string[]): ReassignmentResult {
  return { type: "unknown", problem: `${problem}; it has ${known.length === 0 ? "none" : known.join(", ")}.` };
}

function conflict(problem: string): ReassignmentResult {
  return { type: "conflict", problem };
}

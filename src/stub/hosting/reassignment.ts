import { shortened } from "../../foundation/text/shortened.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import type { World } from "../../simulator/world/world.ts";

/** Result of a step of a reassignment. `unknown`: a name does not exist. `conflict`: the step is not possible now. */
export type ReassignmentResult =
  | { readonly type: "done" }
  | { readonly type: "unknown" | "conflict"; readonly problem: string };

/** Unassigns a registry contract; `to` is the alias of the target synchronizer. */
export function beginReassignment(world: World, contract: string, to: string): ReassignmentResult {
  const { ledger, registry } = world.state;
  const found = registry.contracts.get(contract);
  if (found === undefined)
    return unknown("The registry has no contract", contract, names(registry.contracts.entries()));
  const synchronizers = [...ledger.synchronizers.values()];
  const target = synchronizers.find(({ alias }) => alias === to);
  if (target === undefined)
    return unknown(
      "The ledger has no synchronizer",
      to,
      synchronizers.map(({ alias }) => alias),
    );
  if (found.assignment.type === "in-flight")
    return conflict(`${JSON.stringify(contract)} is already being reassigned. Complete that reassignment first.`);
  if (found.assignment.synchronizerId === target.id)
    return conflict(
      `${JSON.stringify(contract)} is already assigned to ${JSON.stringify(to)}. Choose another synchronizer.`,
    );
  world.perform([{ type: "reassignment-begun", contract, target: target.id }]);
  return { type: "done" };
}

/** Assigns an in-flight contract to its target synchronizer. */
export function completeReassignment(world: World, contract: string): ReassignmentResult {
  const { contracts } = world.state.registry;
  const found = contracts.get(contract);
  if (found === undefined) return unknown("The registry has no contract", contract, names(contracts.entries()));
  if (found.assignment.type !== "in-flight")
    return conflict(`${JSON.stringify(contract)} is not being reassigned. Begin a reassignment first.`);
  world.completeReassignment(contract);
  return { type: "done" };
}

function names(entries: Iterable<readonly [string, unknown]>): readonly string[] {
  return [...entries].map(([name]) => name);
}

function unknown(problem: string, name: string, known: readonly string[]): ReassignmentResult {
  return {
    type: "unknown",
    problem: `${problem} ${name === "" ? "without a name" : shortened(JSON.stringify(name))}. ${advise(name, known, "The fixture lists all.")}`,
  };
}

function conflict(problem: string): ReassignmentResult {
  return { type: "conflict", problem };
}

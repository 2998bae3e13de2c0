import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, objectsOf, optionalTextOf, textOf } from "../../../foundation/json/members.ts";
import { UnderstudyError } from "../../library/understudy-error.ts";
import type { Session } from "../session.ts";
import { stubArgument, type Tool } from "../tool.ts";

export const reassignContract: Tool = {
  name: "reassign_contract",
  title: "Reassign a contract",
  description:
    "Moves a registry contract to another synchronizer, in two steps. unassign starts the move: until it is complete, registry lookups that disclose the contract get 409. assign completes it. start_stub returns the names of contracts and synchronizers.",
  isReadOnly: false,
  input: {
    stub: stubArgument,
    step: { enum: ["unassign", "assign"], description: "unassign starts the move, assign completes it." },
    contract: { type: "string", description: "Name of a contract in the registry fixture." },
    to: { type: "string", description: "Alias of the target synchronizer; only for unassign." },
  },
  required: ["step", "contract"],
  run: runReassignContract,
};

async function runReassignContract(given: JsonObject, { stubs }: Session): Promise<JsonObject> {
  const stub = stubs.find(optionalTextOf(given["stub"]));
  const { contract = "", step, to } = given;
  const isStart = step === "unassign";
  if (isStart && to === undefined)
    throw new UnderstudyError(
      `to: unassign needs the alias of the target synchronizer. The stub has ${stub.understudy.world.synchronizers.map(({ alias }) => alias).join(", ")}.`,
    );
  if (!isStart && to !== undefined)
    throw new UnderstudyError("to: assign completes the move to the synchronizer that unassign named. Omit to.");
  const path = `reassignments/${isStart ? "begin" : "complete"}`;
  const world = await stub.change(path, isStart ? { contract, to: textOf(to) } : { contract });
  const moved = objectsOf(world["contracts"]).find(({ name }) => name === contract);
  return { stub: stub.id, contract, assignment: objectOf(moved?.["assignment"]) };
}

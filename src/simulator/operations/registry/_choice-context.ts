import { asRegistryContract } from "../../daml/registry-contract.ts";
import { readInstruction } from "../../daml/token-contracts.ts";
import { ofInstrument } from "../../registry/registry-state.ts";
import { connectedSynchronizers } from "../_synchronizer.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { registryError } from "../refusal.ts";
import { contextOf, contextValues } from "../registry-context.ts";
import { choiceContextResponse } from "./_choice-context-response.ts";

type Choice = "Accept" | "Reject" | "Withdraw";

/** The operation, in v1 and v2, for the context of a choice on a transfer instruction (Splice 0.7, HttpTokenStandardTransferInstructionHandler.scala). */
export function choiceContext(choice: Choice): Operation {
  const operationId = `getTransferInstruction${choice}Context`;
  return { operationId, aliases: [`${operationId}V1`], perform: (call, world) => lookUp(choice, call, world) };
}

function lookUp(choice: Choice, call: Call, world: WorldView): OperationResult {
  const { ledger, nowMs } = world;
  const id = call.path["transferInstructionId"] ?? "";
  const contract = ledger.contracts.get(id);
  const pending = contract === undefined ? undefined : readInstruction(contract);
  if (pending === undefined) return registryError(404, `AmuletTransferInstruction '${id}' not found.`);
  const registry = ofInstrument(world.registry, pending.instrumentId);
  const locked = ledger.contracts.get(pending.locked);
  if (locked === undefined)
    return choice === "Accept"
      ? registryError(404, `LockedAmulet '${pending.locked}' not found for AmuletTransferInstruction '${id}'`)
      : choiceContextResponse(call, registry, { "expire-lock": { tag: "AV_Bool", value: false } }, []);
  const context = contextOf(registry, nowMs);
  if (context.type === "missing") return registryError(404, context.text);
  const home = connectedSynchronizers(ledger)[0]?.id ?? "";
  const contracts = [...context.entries.map((entry) => entry.contract), asRegistryContract("locked", locked, home)];
  const values = { ...contextValues(context.entries, context.data), "expire-lock": { tag: "AV_Bool", value: true } };
  return choiceContextResponse(call, registry, values, contracts);
}

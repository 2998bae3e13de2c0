import { ofInstrument } from "../../registry/registry-state.ts";
import type { Operation } from "../operation.ts";
import { registryError } from "../refusal.ts";
import { allocationContextOf, usableContract } from "../registry-context.ts";
import { readSettleBatch } from "./_allocation-choice.ts";
import { activeAllocation } from "./_allocation-context.ts";
import { factoryResponse } from "./_factory-response.ts";

/** `POST /registry/allocation/v2/settlement-factory`: factory and choice context for settling allocations. Unknown allocations are ignored (Splice 0.7, HttpTokenStandardAllocationHandler.scala). */
export const getSettlementFactory: Operation = {
  operationId: "getSettlementFactory",
  perform(call, world) {
    const { nowMs } = world;
    const read = readSettleBatch(call.body["choiceArguments"] ?? null, call.release.isRegistryByLetter);
    if (read.type === "refused") return registryError(400, read.message);
    const registry = ofInstrument(world.registry, read.instrumentId);
    const factory = registry.contracts.get(registry.factory.contract);
    if (factory === undefined) return registryError(404, registry.factory.missing);
    const context = allocationContextOf(registry, nowMs);
    if (context.type === "missing") return registryError(404, context.text);
    const locked = read.allocationIds.flatMap((id) => {
      const allocation = activeAllocation(registry, id, nowMs);
      return allocation?.type === "instruction" ? [] : (usableContract(registry, allocation?.locked, nowMs) ?? []);
    });
    return factoryResponse(call, registry, { factory, ...context, unnamed: [...new Set(locked)] });
  },
};

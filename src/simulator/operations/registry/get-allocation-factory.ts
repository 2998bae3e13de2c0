import { ofInstrument } from "../../registry/registry-state.ts";
import type { Operation } from "../operation.ts";
import { registryError } from "../refusal.ts";
import { allocationContextOf } from "../registry-context.ts";
import { allocatedInstrument, allocateProblem } from "./_allocation-choice.ts";
import { factoryResponse } from "./_factory-response.ts";

/** `POST /registry/allocation-instruction/v2/allocation-factory`: factory and choice context for an allocation (Splice 0.7, HttpTokenStandardAllocationInstructionHandler.scala). */
export const getAllocationFactory: Operation = {
  operationId: "getAllocationFactory",
  perform(call, world) {
    const problem = allocateProblem(call.body["choiceArguments"] ?? null, call.release.isRegistryByLetter);
    if (problem !== undefined) return registryError(400, problem);
    const registry = ofInstrument(world.registry, allocatedInstrument(call.body["choiceArguments"] ?? null));
    const factory = registry.contracts.get(registry.factory.contract);
    if (factory === undefined) return registryError(404, registry.factory.missing);
    const context = allocationContextOf(registry, world.nowMs);
    if (context.type === "missing") return registryError(404, context.text);
    return factoryResponse(call, registry, { factory, ...context });
  },
};

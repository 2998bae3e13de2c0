import { isJsonObject } from "../../../foundation/json/json.ts";
import { valueAt } from "../../../foundation/spec/operation.ts";
import { ofInstrument } from "../../registry/registry-state.ts";
import type { Operation } from "../operation.ts";
import { registryError } from "../refusal.ts";
import { contextOf } from "../registry-context.ts";
import { factoryResponse } from "./_factory-response.ts";

/** `POST /registry/allocation-instruction/v1/allocation-factory`: factory and choice context for an allocation. The registry does not read the choice arguments (Splice 0.7, HttpTokenStandardAllocationInstructionHandler.scala); the spec has an object there. */
export const getAllocationFactoryV1: Operation = {
  operationId: "getAllocationFactoryV1",
  perform(call, world) {
    if (call.release.isRegistryByLetter && !isJsonObject(call.body["choiceArguments"] ?? null))
      return registryError(400, "choiceArguments must be an object");
    const instrumentId = valueAt(call.body["choiceArguments"] ?? null, "/allocation/transferLeg/instrumentId/id");
    const registry = ofInstrument(world.registry, typeof instrumentId === "string" ? instrumentId : "");
    const factory = registry.contracts.get(registry.factory.contract);
    if (factory === undefined) return registryError(404, registry.factory.missing);
    const context = contextOf(registry, world.nowMs);
    if (context.type === "missing") return registryError(404, context.text);
    return factoryResponse(call, registry, { factory, ...context });
  },
};

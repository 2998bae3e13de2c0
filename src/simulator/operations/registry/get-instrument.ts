import type { Operation, OperationResult } from "../operation.ts";
import { registryError } from "../refusal.ts";
import { instrumentJson } from "./_instrument-json.ts";

/** `GET /registry/metadata/v1/instruments/{instrumentId}`: one instrument (Splice 0.7, the metadata API of the token standard). */
export const getInstrument: Operation = {
  operationId: "getInstrument",
  perform({ path }, { registry }): OperationResult {
    const id = path["instrumentId"] ?? "";
    const instrument = registry.instruments.get(id);
    if (instrument === undefined) return registryError(404, `No instrument with id ${id} found`);
    return { type: "succeeded", body: instrumentJson(instrument), changes: [] };
  },
};

import { textOf } from "../../../foundation/json/members.ts";
import type { Operation, OperationResult } from "../operation.ts";
import { registryError } from "../refusal.ts";
import { instrumentJson } from "./_instrument-json.ts";

const pageSizeDefault = 25;

/** `GET /registry/metadata/v1/instruments`: the instruments by ascending id (Splice 0.7, the metadata API of the token standard). */
export const listInstruments: Operation = {
  operationId: "listInstruments",
  perform({ query }, { registry }): OperationResult {
    const size = Number(query["pageSize"] ?? pageSizeDefault);
    if (size < 1) return registryError(400, "pageSize must be positive");
    const token = textOf(query["pageToken"]);
    const rows = [...registry.instruments.entries(token)].filter(([id]) => id !== token).map(([, row]) => row);
    const page = rows.slice(0, size);
    const nextPageToken = rows.length > size ? { nextPageToken: page.at(-1)?.id ?? "" } : {};
    return { type: "succeeded", body: { instruments: page.map(instrumentJson), ...nextPageToken }, changes: [] };
  },
};

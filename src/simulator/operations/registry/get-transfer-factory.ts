import type { Operation } from "../operation.ts";
import { lookUpTransfer } from "./_transfer-lookup.ts";

/** `POST /registry/transfer-instruction/v2/transfer-factory`: factory and choice context for a transfer (spec §4.1; Splice 0.7, HttpTokenStandardTransferInstructionHandler.scala). */
export const getTransferFactory: Operation = {
  operationId: "getTransferFactory",
  perform: (call, world) => lookUpTransfer("v2", call, world),
};

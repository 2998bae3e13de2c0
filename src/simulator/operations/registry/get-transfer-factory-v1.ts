import type { Operation } from "../operation.ts";
import { lookUpTransfer } from "./_transfer-lookup.ts";

/** `POST /registry/transfer-instruction/v1/transfer-factory`: the v1 lookup (Splice 0.7, recorded responses). */
export const getTransferFactoryV1: Operation = {
  operationId: "getTransferFactoryV1",
  perform: (call, world) => lookUpTransfer("v1", call, world),
};

import type { Operation } from "../operation.ts";
import { choiceContext } from "./_choice-context.ts";

/** `POST /registry/transfer-instruction/{version}/{id}/choice-contexts/reject` (Splice 0.7, HttpTokenStandardTransferInstructionHandler.scala). */
export const getRejectContext: Operation = choiceContext("Reject");

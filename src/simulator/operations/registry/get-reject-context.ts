import type { Operation } from "../operation.ts";
import { choiceContext } from "./_choice-context.ts";

/** `POST /registry/transfer-instruction/{version}/{id}/choice-contexts/reject` (facts, registry 3.1). */
export const getRejectContext: Operation = choiceContext("Reject");

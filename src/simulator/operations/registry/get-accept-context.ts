import type { Operation } from "../operation.ts";
import { choiceContext } from "./_choice-context.ts";

/** `POST /registry/transfer-instruction/{version}/{id}/choice-contexts/accept` (facts, registry 3.1). */
export const getAcceptContext: Operation = choiceContext("Accept");

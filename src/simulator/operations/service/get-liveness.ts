import type { Operation } from "../operation.ts";

/** `GET /livez`: the process runs (facts, ledger-api 3.6). */
export const getLiveness: Operation = { operationId: "getLivez", perform: () => ({ type: "text", text: "" }) };

import type { Operation } from "../operation.ts";

/** `GET /livez`: the process runs (Canton 3.5, EndpointsCompanion.scala). */
export const getLiveness: Operation = { operationId: "getLivez", perform: () => ({ type: "text", text: "" }) };

import type { Operation } from "../operation.ts";

/** `GET /readyz`: the node is ready (Canton 3.5, EndpointsCompanion.scala). */
export const getReadiness: Operation = {
  operationId: "getReadyz",
  perform: () => ({ type: "text", text: "[+] ledger ok (SERVING)\nreadyz check passed\n" }),
};

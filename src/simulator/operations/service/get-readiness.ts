import type { Operation } from "../operation.ts";

/** `GET /readyz`: the node serves (facts, ledger-api 3.6). */
export const getReadiness: Operation = {
  operationId: "getReadyz",
  perform: () => ({ type: "text", text: "[+] ledger ok (SERVING)\nreadyz check passed\n" }),
};

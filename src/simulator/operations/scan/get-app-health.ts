import type { Operation } from "../operation.ts";

/** `GET …/livez` and `GET …/readyz` of validator and scan: an empty response (Splice 0.6, scan.yaml). */
export const getAppHealth: Operation = {
  operationId: "getScanReadyz",
  aliases: ["getScanLivez", "getValidatorReadyz", "getValidatorLivez"],
  perform: () => ({ type: "text", text: "" }),
};

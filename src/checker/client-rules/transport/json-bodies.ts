import { mediaType } from "../../../foundation/http/header.ts";
import type { ClientRule } from "../client-rule.ts";

const grant = {
  operationId: "postV2UsersUser-idRights",
  target: "/v2/users/a/rights",
  requestBody: { userId: "a" },
  status: 200,
  body: '{"newlyGrantedRights":[]}',
} as const;

/** A request that names no media type is left alone: recorders leave headers out. */
export const jsonBodies: ClientRule = {
  type: "exchange",
  id: "json-bodies",
  section: "4",
  severity: "warning",
  sentence: "All ledger operations take and return application/json on success.",
  summary: "A body that is sent to the ledger says that it is application/json.",
  why: "Nodes of today do not look at the header. Proxies and gateways do, and a later release may: `curl -d` says that a body is a form, `fetch` that it is text.",
  advice: "Send `Content-Type: application/json` with every body.",
  appliesTo: ({ operation, exchange, requestText }) =>
    operation.api === "ledger" &&
    !operation.isAdditional &&
    requestText !== "" &&
    mediaType(exchange.request.headers) !== undefined,
  check({ exchange }) {
    const given = mediaType(exchange.request.headers) ?? "";
    return given === "application/json"
      ? []
      : [{ expected: "Content-Type: application/json", actual: `Content-Type: ${given}`, pointer: "" }];
  },
  examples: {
    kept: [
      { ...grant, name: "JSON", requestHeaders: { "Content-Type": "application/json; charset=utf-8" } },
      { ...grant, name: "no header" },
    ],
    broken: [
      { ...grant, name: "a form", requestHeaders: { "Content-Type": "application/x-www-form-urlencoded" } },
      { ...grant, name: "a text", requestHeaders: { "Content-Type": "text/plain;charset=UTF-8" } },
    ],
  },
};

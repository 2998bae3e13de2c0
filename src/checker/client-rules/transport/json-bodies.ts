import { mediaType } from "../../../foundation/http/header.ts";
import { grant } from "../../rules/sample-users.ts";
import type { ClientRule } from "../client-rule.ts";

/** Requests without a Content-Type are skipped, since recorders omit headers. */
export const jsonBodies: ClientRule = {
  type: "exchange",
  id: "json-bodies",
  section: "4",
  severity: "warning",
  sentence: "The bodies of requests and successful responses of the ledger are application/json.",
  summary: "A request body to the ledger has Content-Type application/json.",
  why: "Current nodes ignore the header. Proxies, gateways and later releases may not: `curl -d` declares a form, `fetch` declares text.",
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
      { ...grant, name: "no Content-Type" },
    ],
    broken: [
      { ...grant, name: "a form", requestHeaders: { "Content-Type": "application/x-www-form-urlencoded" } },
      { ...grant, name: "a text", requestHeaders: { "Content-Type": "text/plain;charset=UTF-8" } },
    ],
  },
};

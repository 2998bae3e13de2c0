import type { Exchange } from "../../foundation/http/exchange.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { FoundRoute } from "../../foundation/spec/router.ts";
import { documentedPath } from "./read-exchange.ts";

/** Stands for all requests that may change packages or their vetting and are in no description, such as the upload of a DAR. */
export const packageChange = "a change of packages";

const operation: SpecOperation = {
  operationId: packageChange,
  api: "ledger",
  method: "",
  path: "",
  section: "",
  isAdditional: true,
  isPublic: false,
  parameters: [],
  requestSchema: undefined,
  responses: {},
};

const route: FoundRoute = { type: "found", operation, pathParameters: {} };
const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);
const packagePath = /^\/v2\/+(?:dars|packages|package-vetting)(?:\/|$)/;

/** Where a request leads to that is of no operation and may change what rules remember. It is never checked itself. */
export function unlistedChange({ request }: Exchange): FoundRoute | undefined {
  const isUnsafe = !safeMethods.has(request.method.toUpperCase());
  return isUnsafe && packagePath.test(documentedPath(request.target)) ? route : undefined;
}

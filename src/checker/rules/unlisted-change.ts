import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Api } from "../../foundation/spec/contracts.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { FoundRoute } from "../../foundation/spec/router.ts";
import { documentedPath } from "./read-exchange.ts";

/** Pseudo operation for unlisted requests that may change packages or their vetting, such as the removal of a DAR. */
const unlistedPackageChange = "a change of packages";

/** Operations that may change packages or their vetting, besides those of vetting: uploads, and unlisted requests. */
export const packageChanges: ReadonlySet<string> = new Set(["postV2Dars", "postV2Packages", unlistedPackageChange]);

const operation: SpecOperation<Api, string> = {
  operationId: unlistedPackageChange,
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

const route: FoundRoute<string> = { type: "found", operation, pathParameters: {} };
const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);
const packagePath = /^\/v2\/+(?:dars|packages|package-vetting)(?:\/|$)/;

/**
 * The pseudo route of an unlisted request that may change state which rules remember. The request itself is never
 * checked.
 */
export function unlistedChange({ request }: Exchange): FoundRoute<string> | undefined {
  const isUnsafe = !safeMethods.has(request.method.toUpperCase());
  return isUnsafe && packagePath.test(documentedPath(request.target)) ? route : undefined;
}

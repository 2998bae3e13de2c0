import type { Json } from "../../../foundation/json/json.ts";
import { memberAt } from "../members.ts";
import type { ExchangeRule } from "../rule.ts";
import { badRequest } from "../sample-bodies.ts";
import { update } from "../sample-users.ts";

const requested = (paths: readonly string[]) => ({ user: { id: "a", isDeactivated: true }, updateMask: { paths } });
const response = '{"user":{"id":"a","isDeactivated":true}}';

/**
 * The spec does not define invalid masks; releases reject these (Canton 3.5, ApiUserManagementService.scala). The
 * pointer points into the request.
 */
export const masksRefused: ExchangeRule = {
  type: "exchange",
  id: "masks-refused",
  section: "4.2",
  severity: "warning",
  summary: "An update whose mask is empty, has an empty path, or names a path twice is rejected.",
  operations: [update.operationId],
  appliesTo: ({ status, requestJson }) => status > 0 && pathsIn(requestJson) !== undefined,
  check({ status, requestJson }) {
    const paths = pathsIn(requestJson) ?? [];
    const flaw = paths.length === 0 ? "no path" : paths.includes("") ? "an empty path" : repeatedIn(paths);
    if (status >= 300 || flaw === undefined) return [];
    return [{ expected: "an error", actual: `${status} for a mask with ${flaw}`, pointer: "/updateMask/paths" }];
  },
  examples: {
    kept: [
      { ...update, name: "one path", requestBody: requested(["is_deactivated"]), body: response },
      { ...update, name: "an error", requestBody: requested([]), ...badRequest },
    ],
    broken: [
      { ...update, name: "a path twice", requestBody: requested(["is_deactivated", "is_deactivated"]), body: response },
      { ...update, name: "no path", requestBody: requested([]), body: response },
      { ...update, name: "an empty path", requestBody: requested([""]), body: response },
    ],
  },
};

/** Undefined if the request has no list of paths. */
function pathsIn(request: Json | undefined): readonly Json[] | undefined {
  const paths = memberAt(request, "updateMask", "paths");
  return Array.isArray(paths) ? paths : undefined;
}

function repeatedIn(paths: readonly Json[]): string | undefined {
  return new Set(paths).size < paths.length ? "a path twice" : undefined;
}

import type { Json } from "../../../foundation/json/json.ts";
import { shown } from "../_schema-findings.ts";
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
  severity: "error",
  inSpec: { warning: "all", because: "the spec does not define invalid masks" },
  summary: "An update whose mask is empty, has an empty or unknown path, or names a path twice is rejected.",
  examplesIn: "canton-3.5",
  operations: [update.operationId],
  appliesTo: ({ status, requestJson }) => status > 0 && pathsIn(requestJson) !== undefined,
  check({ status, spec, requestJson }) {
    const paths = pathsIn(requestJson) ?? [];
    const unknown = spec.profile.ledger === "spec" ? undefined : paths.find((path) => !knownPaths.has(path));
    const flaw =
      paths.length === 0
        ? "no path"
        : paths.includes("")
          ? "an empty path"
          : unknown === undefined
            ? repeatedIn(paths)
            : `the unknown path ${shown(unknown)}`;
    if (status >= 300 || flaw === undefined) return [];
    return [{ expected: "an error", actual: `${status} for a mask with ${flaw}`, pointer: "/updateMask/paths" }];
  },
  examples: {
    kept: [
      { ...update, name: "one path", requestBody: requested(["is_deactivated"]), body: response },
      { ...update, name: "an error", requestBody: requested([]), ...badRequest },
    ],
    broken: [
      {
        ...update,
        isWarning: true,
        name: "a path twice",
        requestBody: requested(["is_deactivated", "is_deactivated"]),
        body: response,
      },
      { ...update, isWarning: true, name: "no path", requestBody: requested([]), body: response },
      {
        ...update,
        isWarning: true,
        name: "an unknown path",
        requestBody: requested(["isDeactivated"]),
        body: response,
      },
      { ...update, isWarning: true, name: "an empty path", requestBody: requested([""]), body: response },
    ],
  },
};

/** Undefined if the request has no list of paths. */
function pathsIn(request: Json | undefined): readonly Json[] | undefined {
  const paths = memberAt(request, "updateMask", "paths");
  return Array.isArray(paths) ? paths : undefined;
}

/** The paths of the releases; those of identifiers are accepted and change nothing. */
const knownPaths: ReadonlySet<Json> = new Set([
  "id",
  "primary_party",
  "is_deactivated",
  "metadata",
  "metadata.annotations",
  "metadata.resource_version",
  "identity_provider_id",
  "primary_party_authentication",
]);

function repeatedIn(paths: readonly Json[]): string | undefined {
  return new Set(paths).size < paths.length ? "a path twice" : undefined;
}

import type { Json } from "../../../foundation/json/json.ts";
import { referencesOf, vettingChanging, vettingOperations } from "../_vetting.ts";
import { listAt, memberAt, textAt } from "../members.ts";
import {
  inconclusive,
  noFindings,
  notApplicable,
  type RuleExample,
  type Span,
  type TracedExchange,
  type TraceRule,
  withFindings,
} from "../rule.ts";
import { ledgerError } from "../sample-bodies.ts";
import { vettedPackages, vetting, vettingChange, vettingResponse } from "../sample-vetting.ts";
import { packageChanges } from "../unlisted-change.ts";

const statusOperation = "getV2PackagesPackage-idStatus";
/** An additional operation. */
const listOperation = "getV2Packages";
const zero = "PACKAGE_STATUS_UNSPECIFIED";

/** The key of the last list of packages. */
const lastList = "list";

interface PackageList {
  readonly ids: ReadonlySet<Json>;
  readonly span: Span;
}

interface PackageObservation {
  readonly isThere: boolean;
  readonly span: Span;
}

/**
 * The spec shows only the zero value of the status. A node can vet only packages that it has, and has a status for
 * each of them (Canton 3.5, PackageServiceIT and ApiPackageManagementService.scala).
 */
export const statusFollowsVetting: TraceRule = {
  type: "trace",
  id: "status-follows-vetting",
  section: "2.2",
  severity: "error",
  inSpec: { warning: "all", because: "the spec shows only the zero value of the status" },
  summary:
    "A vetted or listed package has a status, and a package that is not listed or that vetting does not find has none.",
  examplesIn: "canton-3.5",
  operations: [statusOperation, listOperation, ...vettingChanging],
  assumesExclusiveUse: true,
  watch(memories) {
    const packages = memories.map<PackageObservation>();
    const lists = memories.map<PackageList>();
    let [openChanges, lastChangeEnd] = [0, Number.NEGATIVE_INFINITY];
    return {
      begins({ operation }) {
        if (packageChanges.has(operation.operationId)) openChanges += 1;
      },
      ends(traced) {
        const { operation, status, span, pathParameters, responseJson } = traced;
        if (packageChanges.has(operation.operationId)) {
          openChanges -= 1;
          // A failed vetting may take effect at any later time.
          lastChangeEnd = status === 0 || status >= 500 ? Number.POSITIVE_INFINITY : Math.max(lastChangeEnd, span.end);
        }
        const found = packageIn(traced);
        if (found !== undefined) packages.set(found.id, { isThere: found.isThere, span });
        if (operation.operationId === listOperation && status === 200)
          lists.set(lastList, { ids: new Set(listAt(responseJson, "packageIds")), span });
        if (operation.operationId === statusOperation && status === 404 && textAt(responseJson, "code") !== undefined)
          return withFindings([
            { expected: `200 ${zero} for an unknown package`, actual: "404", pointer: "", isCertain: true },
          ]);
        const actual = textAt(responseJson, "packageStatus");
        if (operation.operationId !== statusOperation || status !== 200 || actual === undefined) return notApplicable;
        const id = pathParameters["package-id"] ?? "";
        const listed = lists.get(lastList);
        const seen = packages.get(id) ?? (listed && { isThere: listed.ids.has(id), span: listed.span });
        if (seen === undefined) return inconclusive("no earlier exchange shows whether the package exists");
        const isUnchanged = openChanges === 0 && lastChangeEnd < seen.span.start && seen.span.end < span.start;
        if (!isUnchanged) return inconclusive("packages may have changed in between");
        if ((actual !== zero) === seen.isThere) return noFindings;
        const expected = seen.isThere
          ? `a status other than ${zero}, since the node has the package`
          : `${zero}, since the package does not exist`;
        return withFindings([{ expected, actual, pointer: "/packageStatus" }]);
      },
    };
  },
  examples: {
    kept: [
      { name: "the status of a listed package", exchanges: [listOf(["a"]), statusOf("PACKAGE_STATUS_REGISTERED")] },
      { name: "the status of a vetted package", exchanges: [vetted(200), statusOf("PACKAGE_STATUS_REGISTERED")] },
      { name: "no status for an unknown package", exchanges: [vetted(404), statusOf(zero)] },
    ],
    broken: [
      {
        isWarning: true,
        name: "an error for a package that is not there",
        exchanges: [{ ...statusOf(zero), status: 404, body: ledgerError }],
      },
      { isWarning: true, name: "no status for a listed package", exchanges: [listOf(["a"]), statusOf(zero)] },
      {
        isWarning: true,
        name: "a status for a package that is not listed",
        exchanges: [listOf(["b"]), statusOf("PACKAGE_STATUS_REGISTERED")],
      },
      { isWarning: true, name: "no status for a vetted package", exchanges: [vetted(200), statusOf(zero)] },
      {
        isWarning: true,
        name: "a status for an unknown package",
        exchanges: [vetted(404), statusOf("PACKAGE_STATUS_REGISTERED")],
      },
    ],
  },
};

/** The only package that a vetting request names by id, and whether the node found it. */
function packageIn(traced: TracedExchange): { readonly id: string; readonly isThere: boolean } | undefined {
  const { operation, status, requestJson, responseJson, responseBody } = traced;
  if (!vettingOperations.has(operation.operationId)) return undefined;
  const [reference, second] = referencesOf(requestJson) ?? [];
  if (reference?.packageId === undefined || reference.packageName !== undefined || second !== undefined)
    return undefined;
  if (!reference.isVetted) return undefined;
  const id = reference.packageId;
  const vetted = listAt(memberAt(responseJson, "newVettedPackages"), "packages");
  if (status === 200)
    return vetted.some((entry) => textAt(entry, "packageId") === id) ? { id, isThere: true } : undefined;
  return responseBody.text().includes("UNRESOLVED_VETTING_REFERENCE") ? { id, isThere: false } : undefined;
}

function vetted(status: number): Omit<RuleExample, "name"> {
  const state = vettedPackages(["a"], 1);
  const refusal = { code: "UNRESOLVED_VETTING_REFERENCE", cause: "x", context: {}, errorCategory: 11 };
  const body = status === 200 ? vettingResponse(state, state) : JSON.stringify(refusal);
  return { ...vetting, requestBody: { changes: [vettingChange("Vet")], dryRun: true }, status, body };
}

function listOf(packageIds: readonly string[]): Omit<RuleExample, "name"> {
  return { operationId: listOperation, target: "/v2/packages", status: 200, body: JSON.stringify({ packageIds }) };
}

function statusOf(packageStatus: string): Omit<RuleExample, "name"> {
  return {
    operationId: statusOperation,
    target: "/v2/packages/a/status",
    status: 200,
    body: JSON.stringify({ packageStatus }),
  };
}

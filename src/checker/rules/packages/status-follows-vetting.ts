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
import { packageChange } from "../unlisted-change.ts";

const statusOperation = "getV2PackagesPackage-idStatus";
const zero = "PACKAGE_STATUS_UNSPECIFIED";

interface Seen {
  readonly isThere: boolean;
  readonly span: Span;
}

/** The spec shows the zero value alone; only what a node has can be vetted, and of that it has a status (Canton 3.5, PackageServiceIT and ApiPackageManagementService.scala). */
export const statusFollowsVetting: TraceRule = {
  type: "trace",
  id: "status-follows-vetting",
  section: "2.2",
  severity: "warning",
  summary: "A package that was vetted has a status, and one that vetting could not find has none.",
  examplesIn: "canton-3.5",
  operations: [statusOperation, ...vettingChanging],
  assumesExclusiveUse: true,
  watch(memories) {
    const packages = memories.map<Seen>();
    let [openChanges, lastChangeEnd] = [0, Number.NEGATIVE_INFINITY];
    return {
      begins({ operation }) {
        if (operation.operationId === packageChange) openChanges += 1;
      },
      ends(traced) {
        const { operation, status, span, pathParameters, responseJson } = traced;
        if (operation.operationId === packageChange) {
          openChanges -= 1;
          // One that failed may take effect at any later time.
          lastChangeEnd = status === 0 || status >= 500 ? Number.POSITIVE_INFINITY : Math.max(lastChangeEnd, span.end);
        }
        const found = packageIn(traced);
        if (found !== undefined) packages.set(found.id, { isThere: found.isThere, span });
        const came = textAt(responseJson, "packageStatus");
        if (operation.operationId !== statusOperation || status !== 200 || came === undefined) return notApplicable;
        const seen = packages.get(pathParameters["package-id"] ?? "");
        if (seen === undefined) return inconclusive("nothing had shown before whether there is the package");
        const isQuiet = openChanges === 0 && lastChangeEnd < seen.span.start && seen.span.end < span.start;
        if (!isQuiet) return inconclusive("packages may have been changed meanwhile");
        if ((came !== zero) === seen.isThere) return noFindings;
        const expected = seen.isThere
          ? `another status than ${zero}, since it was vetted`
          : `${zero}, since it is not there`;
        return withFindings([{ expected, actual: came, pointer: "/packageStatus" }]);
      },
    };
  },
  examples: {
    kept: [
      { name: "a package that was vetted", exchanges: [vetting(200), statusOf("PACKAGE_STATUS_REGISTERED")] },
      { name: "one that could not be found", exchanges: [vetting(404), statusOf(zero)] },
    ],
    broken: [
      { name: "no status of a package that was vetted", exchanges: [vetting(200), statusOf(zero)] },
      { name: "a status of one that is not there", exchanges: [vetting(404), statusOf("PACKAGE_STATUS_REGISTERED")] },
    ],
  },
};

/** The one package that a vetting names by its id alone, and whether it is there: found, or not to be found. */
function packageIn(traced: TracedExchange): { readonly id: string; readonly isThere: boolean } | undefined {
  const { operation, status, requestJson, responseJson, responseText } = traced;
  if (!vettingOperations.has(operation.operationId)) return undefined;
  const [reference, second] = referencesOf(requestJson) ?? [];
  if (reference?.packageId === undefined || reference.packageName !== undefined || second !== undefined)
    return undefined;
  if (!reference.isVetted) return undefined;
  const id = reference.packageId;
  const vetted = listAt(memberAt(responseJson, "newVettedPackages"), "packages");
  if (status === 200)
    return vetted.some((entry) => textAt(entry, "packageId") === id) ? { id, isThere: true } : undefined;
  return responseText.includes("UNRESOLVED_VETTING_REFERENCE") ? { id, isThere: false } : undefined;
}

function vetting(status: number): Omit<RuleExample, "name"> {
  const changes = [{ operation: { Vet: { value: { packages: [{ packageId: "a" }] } } } }];
  const state = {
    packages: [{ packageId: "a" }],
    participantId: "participant1::1220ab",
    synchronizerId: "main::1220ab",
    topologySerial: 1,
  };
  const body =
    status === 200
      ? { pastVettedPackages: state, newVettedPackages: state }
      : { code: "UNRESOLVED_VETTING_REFERENCE", cause: "x", context: {}, errorCategory: 11 };
  return {
    operationId: "postV2Package-vetting",
    target: "/v2/package-vetting",
    requestBody: { changes, dryRun: true },
    status,
    body: JSON.stringify(body),
  };
}

function statusOf(packageStatus: string): Omit<RuleExample, "name"> {
  return {
    operationId: statusOperation,
    target: "/v2/packages/a/status",
    status: 200,
    body: JSON.stringify({ packageStatus }),
  };
}

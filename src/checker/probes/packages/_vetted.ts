import { isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import type { ProbeContext, ProbeResponse } from "../../probing/probe.ts";
import { vet, vetting } from "../_ledger-calls.ts";
import { malformed, sendEach } from "../_malformed.ts";

export function changeVetting(
  context: ProbeContext,
  changes: readonly Json[],
  more: JsonObject = {},
): Promise<ProbeResponse> {
  return context.send({ operationId: "postV2Package-vetting", body: vetting(context, changes, more) });
}

/** Sends dry runs that vet a package, each with one error. */
export async function sendInvalid(context: ProbeContext, packageId: string): Promise<void> {
  const good = vetting(context, [vet([packageId])], { dryRun: true });
  const bodies = malformed(good, {
    required: ["changes"],
    illTyped: { changes: "all", dryRun: "yes", synchronizerId: 5, updateVettedPackagesForceFlags: "all" },
  });
  const reference = { packageVersion: "1.0.0" };
  const unfit = [
    { ...good, changes: [] },
    { ...good, changes: [{ operation: { Empty: {} } }] },
    { ...good, changes: [{ operation: { Vet: { value: { packages: [reference] } } } }] },
    { ...good, synchronizerId: "no synchronizer" },
    { ...good, expectedTopologySerial: { serial: { Prior: { value: 0 } } } },
  ].map((body) => ({ body }));
  await sendEach(context, { operationId: "postV2Package-vetting" }, [...bodies, ...unfit]);
}

/** Reads the status of a package. */
export async function readStatus({ send }: ProbeContext, packageId: string): Promise<void> {
  await send({ operationId: "getV2PackagesPackage-idStatus", path: { "package-id": packageId } });
}

/** Lists the vetted packages, if the release has the operation. */
export async function listVetted(context: ProbeContext): Promise<void> {
  const operationId = "postV2Package-vettingList";
  if (!context.knows(operationId)) return;
  const topologyStateFilter = { participantIds: [], synchronizerIds: [context.need("synchronizer")] };
  await context.send({ operationId, body: { topologyStateFilter, pageToken: "", pageSize: 0 } });
}

/** The expected serial of the next change, according to the past state of a response. */
export function serialBefore({ json }: ProbeResponse): JsonObject {
  const value = pastIn(json)?.["topologySerial"];
  return { serial: typeof value === "number" && value > 0 ? { Prior: { value } } : { NoPrior: {} } };
}

/** Whether the response shows the state before the change; null means that there was none. */
export function showsPast({ status, json }: ProbeResponse): boolean {
  return status === 200 && isJsonObject(json) && json["pastVettedPackages"] !== undefined;
}

/** Whether a package was vetted before the change. */
export function wasVetted({ json }: ProbeResponse, packageId: string): boolean {
  const packages = pastIn(json)?.["packages"];
  return (
    Array.isArray(packages) && packages.some((entry: Json) => isJsonObject(entry) && entry["packageId"] === packageId)
  );
}

function pastIn(json: Json | undefined): JsonObject | undefined {
  const past = isJsonObject(json) ? json["pastVettedPackages"] : undefined;
  return isJsonObject(past) ? past : undefined;
}

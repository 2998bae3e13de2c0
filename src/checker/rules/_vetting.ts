import { formatJson, isJsonObject, type Json } from "../../foundation/json/json.ts";
import { withFirstNames } from "../../foundation/spec/described-fields.ts";
import { listAt, memberAt, objectAt, textAt } from "./members.ts";
import { failedWrite } from "./register.ts";
import type { CheckedExchange } from "./rule.ts";
import { packageChanges } from "./unlisted-change.ts";

/** Whether the exchange may change the vetting state. Uploading a package also vets it (Canton 3.5, openapi.yaml). */
export function mayVet(checked: CheckedExchange): boolean {
  const { operationId } = checked.operation;
  if (packageChanges.has(operationId)) return true;
  return vettingOperations.has(operationId) && memberAt(vettingRequest(checked), "dryRun") !== true;
}

/** The request with the member names of the releases; profile `spec` also has those of the spec's text. */
export function vettingRequest({
  spec,
  operation: { requestSchema },
  requestJson,
}: Pick<CheckedExchange, "spec" | "operation" | "requestJson">): Json | undefined {
  return requestSchema === undefined ? requestJson : withFirstNames(spec.describedFields(requestSchema), requestJson);
}

/** The outcome of a vetting change whose response does not show the resulting state. */
export function unshownVetting(status: number): { readonly type: "unknown" | "unchanged" | "undecided" } {
  return status >= 200 && status < 300 ? { type: "unknown" } : failedWrite(status);
}

export const vettingOperations: ReadonlySet<string> = new Set([
  "postV2Package-vetting",
  "postV2Package-vettingUpdate",
  "postPackage-vettingUpdate",
]);

/** Operations that rules about the vetting state watch. */
export const vettingChanging: readonly string[] = [...vettingOperations, ...packageChanges];

/** A package reference of a change, and whether the change vets or unvets it. */
interface VettedReference {
  readonly isVetted: boolean;
  readonly packageId: string | undefined;
  readonly packageName: string | undefined;
}

/** The package references of all changes, in order; undefined if a change is unreadable. */
export function referencesOf(request: Json | undefined): readonly VettedReference[] | undefined {
  if (!isJsonObject(request)) return undefined;
  const references: VettedReference[] = [];
  for (const change of listAt(request, "changes")) {
    const [vet, unvet] = [
      memberAt(change, "operation", "Vet", "value"),
      memberAt(change, "operation", "Unvet", "value"),
    ];
    if ((vet === undefined) === (unvet === undefined)) return undefined;
    for (const reference of listAt(vet ?? unvet, "packages"))
      references.push({
        isVetted: vet !== undefined,
        packageId: textAt(reference, "packageId") || undefined,
        packageName: textAt(reference, "packageName") || undefined,
      });
  }
  return references;
}

/** The vetting state of a synchronizer as a comparable text; `none` if it was never set. */
export function stateText(vetted: Json | undefined): string {
  if (objectAt(vetted) === undefined) return "none";
  const packages = [...packagesOf(vetted)].sort(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify([Number(memberAt(vetted, "topologySerial") ?? 0), packages]);
}

/** The validity bounds of each vetted package as text, by package id. */
export function packagesOf(vetted: Json | undefined): ReadonlyMap<string, string> {
  return new Map(
    listAt(vetted, "packages").flatMap((entry) => {
      const id = textAt(entry, "packageId");
      const bounds = [memberAt(entry, "validFromInclusive") ?? null, memberAt(entry, "validUntilExclusive") ?? null];
      return id === undefined ? [] : [[id, formatJson(bounds)] as const];
    }),
  );
}

/** The package names that the state shows, by package id. */
export function namesOf(vetted: Json | undefined): ReadonlyMap<string, string> {
  return new Map(
    listAt(vetted, "packages").flatMap((entry) => {
      const [id, name] = [textAt(entry, "packageId"), textAt(entry, "packageName") || undefined];
      return id === undefined || name === undefined ? [] : [[id, name] as const];
    }),
  );
}

/** The synchronizer id without protocol version and serial. */
export function logicalId(synchronizer: string): string {
  return synchronizer.split("::").slice(0, 2).join("::");
}

import { formatJson, isJsonObject, type Json } from "../../foundation/json/json.ts";
import { listAt, memberAt, objectAt, textAt } from "./members.ts";
import { failedWrite } from "./register.ts";
import type { CheckedExchange } from "./rule.ts";
import { packageChange } from "./unlisted-change.ts";

/** Whether the exchange may change what is vetted; the upload of a package vets it (Canton 3.5, openapi.yaml). */
export function mayVet({ operation, requestJson }: CheckedExchange): boolean {
  if (operation.operationId === packageChange) return true;
  return vettingOperations.has(operation.operationId) && memberAt(requestJson, "dryRun") !== true;
}

/** How a change of vetting ended whose response does not show what it left. */
export function unshownVetting(status: number): { readonly type: "unknown" | "unchanged" | "adrift" } {
  return status >= 200 && status < 300 ? { type: "unknown" } : failedWrite(status);
}

export const vettingOperations: ReadonlySet<string> = new Set(["postV2Package-vetting", "postV2Package-vettingUpdate"]);

/** What a rule about the state of vetting looks at. */
export const vettingChanging: readonly string[] = [...vettingOperations, packageChange];

/** One package of a change, and what the change does with it. */
export interface VettedReference {
  readonly isVetted: boolean;
  readonly packageId: string | undefined;
  readonly packageName: string | undefined;
}

/** The packages that the changes name, in order; undefined where a change is not to be read. */
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

/** The vetting of a synchronizer as one text, the same for the same state; `none` where it was never set. */
export function stateText(vetted: Json | undefined): string {
  if (objectAt(vetted) === undefined) return "none";
  const packages = [...packagesOf(vetted)].sort(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify([Number(memberAt(vetted, "topologySerial") ?? 0), packages]);
}

/** By package id: what the state says of it. */
export function packagesOf(vetted: Json | undefined): ReadonlyMap<string, string> {
  return new Map(
    listAt(vetted, "packages").flatMap((entry) => {
      const id = textAt(entry, "packageId");
      const bounds = [memberAt(entry, "validFromInclusive") ?? null, memberAt(entry, "validUntilExclusive") ?? null];
      return id === undefined ? [] : [[id, formatJson(bounds)] as const];
    }),
  );
}

/** By package id: its name where the state tells it. */
export function namesOf(vetted: Json | undefined): ReadonlyMap<string, string> {
  return new Map(
    listAt(vetted, "packages").flatMap((entry) => {
      const [id, name] = [textAt(entry, "packageId"), textAt(entry, "packageName") || undefined];
      return id === undefined || name === undefined ? [] : [[id, name] as const];
    }),
  );
}

/** A synchronizer id without protocol version and serial. */
export function logicalId(synchronizer: string): string {
  return synchronizer.split("::").slice(0, 2).join("::");
}

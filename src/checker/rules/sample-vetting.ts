// Vetting requests and responses for the examples of rules.
import type { JsonObject } from "../../foundation/json/json.ts";
import type { RuleExample } from "./rule.ts";

/** A vetting request with a change that the spec does not show. */
export const vetting: Omit<RuleExample, "name"> = {
  operationId: "postV2Package-vetting",
  target: "/v2/package-vetting",
  requestBody: { changes: [{}] },
  status: 200,
  body: '{"packages":[]}',
};

/** A change that vets or unvets one package. */
export function vettingChange(kind: "Vet" | "Unvet", reference: JsonObject = { packageId: "a" }): JsonObject {
  return { operation: { [kind]: { value: { packages: [reference] } } } };
}

/** A VettedPackages value with these packages. */
export function vettedPackages(
  ids: readonly string[],
  topologySerial: number,
  synchronizerId = "main::1220ab",
): object {
  const packages = ids.map((packageId) => ({ packageId }));
  return { packages, participantId: "participant1::1220ab", synchronizerId, topologySerial };
}

/** The body of a response with the state before and after the changes. */
export function vettingResponse(past: object, now: object): string {
  return JSON.stringify({ pastVettedPackages: past, newVettedPackages: now });
}

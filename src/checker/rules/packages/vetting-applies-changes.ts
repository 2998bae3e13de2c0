import { namesOf, packagesOf, referencesOf, vettingOperations } from "../_vetting.ts";
import { memberAt, objectAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";
import { vettedPackages, vetting, vettingChange, vettingResponse } from "../sample-vetting.ts";

const response = (past: readonly string[], now: readonly string[]) =>
  vettingResponse(vettedPackages(past, 1), vettedPackages(now, 2));
const vetA = { changes: [vettingChange("Vet")] };
const mismatched = { packageId: "a", packageName: "another", packageVersion: "1.0.0" };
const unvetA = vettingChange("Unvet");

/** The spec does not show the JSON names. The rule checks responses with the names of the releases. */
export const vettingAppliesChanges: ExchangeRule = {
  type: "exchange",
  id: "vetting-applies-changes",
  section: "4.2",
  severity: "error",
  summary: "Vetting changes apply in order, and unchanged packages keep their vetting state.",
  examplesIn: "canton-3.5",
  operations: [...vettingOperations],
  appliesTo: ({ status, requestJson, responseJson }) =>
    status === 200 &&
    objectAt(responseJson, "newVettedPackages") !== undefined &&
    referencesOf(requestJson) !== undefined,
  check: (checked) => [...ignoredChanges(checked), ...strayChanges(checked)],
  examples: {
    kept: [
      {
        ...vetting,
        name: "an Unvet with an id and the name and version of another package",
        requestBody: { changes: [vettingChange("Unvet", mismatched)] },
        body: response(["a"], ["a"]),
      },
      { ...vetting, name: "one more package vetted", requestBody: vetA, body: response(["b"], ["a", "b"]) },
      {
        ...vetting,
        name: "the last of two changes to a package wins",
        requestBody: { changes: [...vetA.changes, unvetA] },
        body: response(["a", "b"], ["b"]),
      },
    ],
    broken: [
      {
        ...vetting,
        name: "a package stays vetted after an Unvet",
        requestBody: { changes: [unvetA] },
        body: response(["a"], ["a"]),
      },
      { ...vetting, name: "a package stays unvetted after a Vet", requestBody: vetA, body: response(["b"], ["b"]) },
      { ...vetting, name: "an unnamed package is unvetted", requestBody: vetA, body: response(["b"], ["a"]) },
      {
        ...vetting,
        name: "changes applied in the wrong order",
        requestBody: { changes: [...vetA.changes, unvetA] },
        body: response(["b"], ["a", "b"]),
      },
    ],
  },
};

/** Findings for packages that the request names by id and whose state is wrong. */
function ignoredChanges({ requestJson, responseJson }: CheckedExchange): readonly Finding[] {
  const now = packagesOf(memberAt(responseJson, "newVettedPackages"));
  const last = new Map<string, boolean>();
  // A name without an id may match several packages, including one named before.
  for (const { packageId, packageName, isVetted } of referencesOf(requestJson) ?? [])
    if (packageId !== undefined) {
      // An Unvet with the name or version of another package matches nothing (Canton 3.5, ApiPackageManagementService.scala).
      if (isVetted || packageName === undefined) last.set(packageId, isVetted);
      else last.delete(packageId);
    } else for (const id of last.keys()) if (packageName !== undefined) last.delete(id);
  return [...last]
    .filter(([id, isVetted]) => now.has(id) !== isVetted)
    .map(([id, isVetted]) => ({
      expected: `${id} ${isVetted ? "vetted" : "not vetted"}`,
      actual: isVetted ? "not vetted" : "vetted",
      pointer: "/newVettedPackages/packages",
      keyword: isVetted ? "vet" : "unvet",
    }));
}

function strayChanges({ requestJson, responseJson }: CheckedExchange): readonly Finding[] {
  const [past, now] = [memberAt(responseJson, "pastVettedPackages"), memberAt(responseJson, "newVettedPackages")];
  if (past === undefined) return [];
  const references = referencesOf(requestJson) ?? [];
  const names = new Map([...namesOf(past), ...namesOf(now)]);
  const isNamed = (id: string) =>
    references.some(
      ({ packageId, packageName }) =>
        packageId === id ||
        (packageId === undefined && packageName !== undefined && (names.get(id) ?? packageName) === packageName),
    );
  const [before, after] = [packagesOf(past), packagesOf(now)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((id) => before.get(id) !== after.get(id) && !isNamed(id))
    .map((id) => ({
      expected: `${id} unchanged, since no change names it`,
      actual: `${before.get(id) ?? "not vetted"}, then ${after.get(id) ?? "not vetted"}`,
      pointer: "/newVettedPackages/packages",
      keyword: "unchanged",
    }));
}

import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf } from "../../foundation/json/members.ts";

/** The names of disclosed contracts, by contract id, in the order of disclosure. */
export type DisclosedNames = ReadonlyMap<string, string>;

export interface ContextKey {
  readonly key: string;
  readonly name: string;
}

/** Keys of the choice context that belong to a pre-approval, by member of the fixture's pre-approval. */
export const preapprovalMembers = {
  contract: "transfer-preapproval",
  featuredAppRight: "featured-app-right",
} as const;

export function isPreapprovalKey(key: string): boolean {
  return Object.values(preapprovalMembers).some((known) => known === key);
}

/** The keys that name a disclosed contract, in the order of disclosure. */
export function contextKeysOf(values: JsonObject, names: DisclosedNames): readonly ContextKey[] {
  return [...names].flatMap(([contractId, name]) =>
    Object.entries(values)
      .filter(([, value]) => objectOf(value)["value"] === contractId)
      .map(([key]) => ({ key, name })),
  );
}

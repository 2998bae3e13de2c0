import { type Api, contracts } from "./contracts.ts";

/**
 * Method and path of the operations that a release publishes, so far as `contracts/published-operations.yaml` lists them. A
 * release has those of all releases before it.
 */
export function publishedIn(api: Api, profile: string): readonly string[] {
  const releases = Object.keys(contracts.descriptions[api]).filter((name) => name !== "spec");
  const upTo = releases.slice(0, releases.indexOf(profile) + 1);
  return upTo.flatMap((name) => contracts.publishedOperations[api][name] ?? []);
}

import { type Api, contracts } from "./contracts.ts";

/**
 * Method and path of the operations that a release publishes, so far as `contracts/published-operations.yaml` lists them. A
 * release has those of all releases before it.
 */
export function publishedIn(api: Api, profile: string): readonly string[] {
  return releasesUpTo(api, profile).flatMap((name) => contracts.publishedOperations[api][name] ?? []);
}

/** Whether a GET at this path opens a WebSocket of the release. */
export function isWebSocket(path: string, profile: string): boolean {
  return releasesUpTo("ledger", profile).some((name) => contracts.publishedOperations.webSockets[name]?.includes(path));
}

function releasesUpTo(api: Api, profile: string): readonly string[] {
  const releases = Object.keys(contracts.descriptions[api]).filter((name) => name !== "spec");
  return releases.slice(0, releases.indexOf(profile) + 1);
}

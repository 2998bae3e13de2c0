// Generates docs/reference/supported-endpoints.md: what the stub serves in each profile, and what a release has beyond that.
import { contracts } from "../src/foundation/spec/contracts.ts";
import type { SpecOperation } from "../src/foundation/spec/operation.ts";
import { loadSpec, profileNamesOf } from "../src/foundation/spec/spec.ts";

/** `contracts/published-operations.yaml`: method and path, by API and by the first profile that has them. */
export type PublishedOperations = Readonly<
  Record<"ledger" | "registry" | "webSockets", Readonly<Record<string, readonly string[]>>>
>;

const registryOf = (profile: string) => (profile === "spec" ? "spec" : "splice-0.8");

export function supportedEndpointsPage(published: PublishedOperations): string {
  return [
    "<!-- Made by `npm run generate` from contracts/. Do not edit. -->",
    "# Supported endpoints",
    "",
    "The stub serves the JSON API over HTTP and WebSockets. **gRPC is not supported**, and neither is the Admin API of a node. Of validator and scan the stub serves what wallets and back ends call, below `/api/validator` and `/api/scan`; the registry is mounted below `/api/validator/v0/scan-proxy`, too, where a token is required.",
    "",
    "`yes` means that the stub serves the operation in that profile, `no` that the release has it and the stub does not: it gets the 404 of an unknown path, or 405 on a path with other methods. A GET at the path of a WebSocket gets 400 in the `canton-…` profiles, like a GET without an upgrade on a node. `–` means that the operation is not a part of that release, or of the spec; the path gets 404, or 405 if it has other methods. `spec` is the default profile.",
    "How faithful an operation is: [fidelity.md](../fidelity.md). Another API beside the stub: [second-opinion.md](../second-opinion.md). The stub's own paths: [control-api.md](../control-api.md).",
    "",
    ...(["ledger", "registry"] as const).flatMap((api) => sectionsOf(api, published[api])),
  ].join("\n");
}

function sectionsOf(api: "ledger" | "registry", published: PublishedOperations["ledger"]): readonly string[] {
  const profiles = ["spec", ...Object.keys(contracts.descriptions[api]).filter((profile) => profile !== "spec")];
  const shown = profileNamesOf(api);
  const served = new Map(profiles.map((profile) => [profile, servedBy(api, profile)]));
  const all = new Map([...served.values()].flatMap((operations) => [...operations]));
  const has = releasedIn(published, profiles);
  const known = new Set([...all.keys()].map(anonymous));
  const absent = Object.values(published)
    .flat()
    .filter((operation) => !known.has(anonymous(operation)));
  const row = (operation: string) =>
    `| \`${operation}\` | ${shown.map((profile) => (served.get(profile)?.has(operation) ? "yes" : has(profile, operation) ? "no" : "–")).join(" | ")} |`;
  const table = (operations: readonly string[]) => [
    `| Operation | ${shown.map((profile) => `\`${profile}\``).join(" | ")} |`,
    `| --- |${shown.map(() => " --- |").join("")}`,
    ...operations.map(row),
    "",
  ];
  const title = api === "ledger" ? "Ledger" : "Registry";
  const named = (isAdditional: boolean) =>
    [...all].filter(([, operation]) => operation.isAdditional === isAdditional).map(([name]) => name);
  return [
    `## ${title}: operations of the spec`,
    "",
    ...table(named(false)),
    `## ${title}: additional operations`,
    "",
    "`--spec-only` turns them off.",
    "",
    ...table(named(true)),
    ...(absent.length === 0
      ? []
      : [`## ${title}: operations of releases that the stub does not serve`, "", ...table(absent)]),
  ];
}

/** The served operations by method and path. */
function servedBy(api: "ledger" | "registry", profile: string): ReadonlyMap<string, SpecOperation> {
  const names =
    api === "ledger" ? { ledger: profile, registry: registryOf(profile) } : { ledger: "spec", registry: profile };
  const { operations } = loadSpec(names, { hasAdditionalOperations: true });
  return new Map(
    operations
      .filter((operation) => operation.api === api)
      .map((operation) => [`${operation.method} ${operation.path}`, operation]),
  );
}

/** Whether a profile's release publishes an operation: it is published with that profile or an earlier one. */
function releasedIn(published: PublishedOperations["ledger"], profiles: readonly string[]) {
  const since = new Map(
    Object.entries(published).flatMap(([profile, operations]) =>
      operations.map((operation) => [anonymous(operation), profiles.indexOf(profile)] as const),
    ),
  );
  return (profile: string, operation: string): boolean =>
    profile !== "spec" && profiles.indexOf(profile) >= (since.get(anonymous(operation)) ?? Number.POSITIVE_INFINITY);
}

/** The operation without the names of its path parameters, which differ between descriptions. */
export function anonymous(operation: string): string {
  return operation.replaceAll(/\{[^}]*\}/g, "{}");
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { transferLookup } from "../_transfer.ts";
import { expectRefusal, folderOf, root, serving, temporaryFolder, understudy } from "./_command-line.ts";

const [party, other, remote] = ["alice::1220ab", "bob::1220ab", "carol::1220cd"];
const packageId = "ab".repeat(32);

const ledger = `
participantId: participant1::1220ab
ledgerEnd: 12
limits: { usersPageSizeMax: 2 }
synchronizers: [{ alias: main, id: "main::1220ab", vettedPackages: [${packageId}], topologySerial: 3 }]
identityProviders: [{ id: corporate, issuer: "https://login.example.com", jwksUrl: "https://login.example.com/jwks", audience: ledger }]
packages: [{ id: ${packageId}, name: app, version: 1.2.3 }]
parties: [{ id: "${party}", annotations: { desk: a } }, { id: "${other}" }, { id: "${remote}", hostedBy: ["participant2::1220cd"] }]
users:
  - { id: admin, rights: [ParticipantAdmin, CanReadAsAnyParty] }
  - { id: alice, primaryParty: "${party}", annotations: { team: trading }, resourceVersion: "4", rights: [{ CanActAs: "${party}" }] }
  - { id: idle }
  - { id: old, deactivated: true }
`;

const registry = `
admin: "DSO::1220ab"
instruments: [{ id: Amulet, name: Amulet, symbol: CC }]
factory: { contract: rules, disclosed: last, context: [{ key: open-round, contracts: [round] }] }
preapprovals: [{ receiver: "${other}", contract: preapproval }]
contracts:
  - { name: rules, templateId: "${packageId}:M:Rules", packageName: app, createdAt: 2026-01-01T00:00:00Z, synchronizer: "main::1220ab" }
  - { name: round, templateId: "${packageId}:M:Round", packageName: app, createdAt: 2026-01-01T00:00:00Z, synchronizer: "main::1220ab", payload: { round: "7" } }
  - { name: preapproval, templateId: "${packageId}:M:Preapproval", packageName: app, createdAt: 2026-01-01T00:00:00Z, synchronizer: "main::1220ab", payload: { receiver: "${other}" } }
  - { name: asset, templateId: "${packageId}:M:Asset", packageName: app, createdAt: 2026-01-02T00:00:00.123456Z, synchronizer: "main::1220ab", signatories: ["${party}"], observers: ["${other}"], payload: { owner: "${party}", tags: [a, b], note: null }, reassignmentCounter: 2 }
`;

const scenario = `
arazzo: 1.0.1
info: { title: origin, version: 1.0.0 }
sourceDescriptions: [{ name: ledger, url: ${join(root, "contracts/ledger-json-api.yaml")}, type: openapi }]
workflows:
  - workflowId: origin
    x-understudy: { given: { ledger: ledger.yaml, registry: registry.yaml }, profile: canton-3.5 }
    steps: []
`;

const files = { "ledger.yaml": ledger, "registry.yaml": registry, "origin.arazzo.yaml": scenario };
const origin = () => serving("origin.arazzo.yaml --auth user", { folder: folderOf(files) });

type Entry = {
  contractEntry: { JsActiveContract: { createdEvent: { contractId: string; offset?: number; nodeId?: number } } };
};

async function request(
  base: string,
  path: string,
  body?: unknown,
  token = "admin",
): Promise<ReturnType<typeof JSON.parse>> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const sent = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
  return (await fetch(`${base}${path}`, sent)).json();
}

/** The active contracts of a party, with blobs, without their places in the history. */
async function contractsOf(base: string, token: string) {
  const filters = {
    cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } }],
  };
  const eventFormat = { filtersByParty: { [token === "alice" ? party : other]: filters }, verbose: true };
  const entries: Entry[] = await request(
    base,
    "/v2/state/active-contracts",
    { eventFormat, activeAtOffset: 12 },
    "admin",
  );
  for (const { contractEntry } of entries) {
    delete contractEntry.JsActiveContract.createdEvent.offset;
    delete contractEntry.JsActiveContract.createdEvent.nodeId;
  }
  return entries;
}

test("a node that is imported answers as before: users, parties, packages, vetting, contracts and lookups", async () => {
  const { url } = await origin();
  const folder = temporaryFolder();
  const words = ["import", "--ledger", url, "--registry", url, "--token", "admin"];
  const made = await understudy(words, { folder });
  expect({ ...made, out: made.out.split("\n") }).toMatchObject({ exitCode: 0, error: "" });
  expect(made.out).toContain("wrote node.arazzo.yaml (4 active contracts, profile canton-3.5)");
  expect(made.out).toContain("  hosts of parties of other participants (1)\n");
  expect(made.out).toMatch(/\nThe stub gives all \d+ responses as the node did, except ids and times\.\n$/);
  expect(readFileSync(join(folder, "node.ledger.yaml"), "utf8")).not.toContain("Bearer");
  const imported = await serving("node.arazzo.yaml --auth user", { folder });
  const paths = [
    ...["/v2/users", "/v2/users?pageSize=1000", "/v2/users/alice/rights", "/v2/users/admin/rights", "/v2/parties"],
    ...["/v2/packages", `/v2/packages/${packageId}/status`, "/v2/idps", "/v2/state/ledger-end"],
    ...["/v2/state/connected-synchronizers", "/registry/metadata/v1/info", "/registry/metadata/v1/instruments"],
  ];
  for (const path of paths) expect(await request(imported.url, path), path).toEqual(await request(url, path));
  const bodies = [
    ["/v2/package-vetting/list", {}],
    ["/registry/transfer-instruction/v2/transfer-factory", transferLookup(party, other)],
    ["/registry/transfer-instruction/v2/transfer-factory", transferLookup(other, party)],
  ] as const;
  for (const [path, body] of bodies)
    expect(await request(imported.url, path, body), path).toEqual(await request(url, path, body));
  for (const token of ["alice", "bob"]) {
    const contracts = await contractsOf(url, token);
    expect(contracts).toHaveLength(1);
    expect(await contractsOf(imported.url, token)).toEqual(contracts);
  }
});

test("names the reads that the node refuses, leaves them out and exits with 1", async () => {
  const { url } = await origin();
  const folder = temporaryFolder();
  const made = await understudy(["import", "--ledger", url, "--json"], {
    folder,
    variables: { UNDERSTUDY_TOKEN: "alice" },
  });
  expect(made.exitCode).toBe(1);
  expect(JSON.parse(made.out)).toMatchObject({
    event: "imported",
    contracts: 1,
    omitted: expect.arrayContaining([expect.stringMatching(/^GET \/v2\/users: 403/)]),
    different: [],
  });
  const again = await understudy(["import", "--ledger", url, "--token", "alice"], { folder });
  expect(again).toMatchObject({ exitCode: 2, error: expect.stringContaining("exists") });
});

test.each([
  ["import x.har --ledger http://127.0.0.1:1", "import takes a recording or --ledger. Remove x.har or --ledger."],
  ["import x.har --token abc", "--token has no effect without --ledger."],
  ["import --ledger http://127.0.0.1:1 --world a", "--world has no effect with --ledger. Remove one of the two."],
])("%s is refused", async (words, message) => {
  await expectRefusal(words, message, { folder: temporaryFolder() });
});

test("names a node that is not reachable", async () => {
  const made = await understudy("import --ledger http://127.0.0.1:1", { folder: temporaryFolder() });
  expect(made).toMatchObject({ exitCode: 3, out: "", error: expect.stringContaining("cannot be reached") });
});

import { join } from "node:path";
import { LedgerClient } from "@canton-network/core-ledger-client";
import { PreparedTransaction } from "@canton-network/core-ledger-proto";
import { expect, onTestFinished, test } from "vitest";
import { type LedgerProfile, startUnderstudy } from "../../src/index.ts";
import { root } from "./_command-line.ts";
import { silent, tokens } from "./_published.ts";
import { base64, hostMappingWithKeys, keyOf, signedBy } from "./_topology.ts";

const participant = "participant1::122056e00d8eef432e448963fb33d31cbc989835384ec290868e0a0f7573b254b1af";
const synchronizer = "global-domain::1220fa79dd1ee8fe25d601870c1b05bb634a8086134bfbe57f870549e2ddaca444e2";
const alice = "alice::12202bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90";

async function clientOf(profile: LedgerProfile) {
  const understudy = await startUnderstudy({ scenario: join(root, "scenarios/quickstart.arazzo.yaml"), profile });
  onTestFinished(() => understudy.close());
  const client = new LedgerClient({
    baseUrl: new URL(understudy.ledgerUrl),
    logger: silent as never,
    accessTokenProvider: tokens as never,
  });
  await client.init();
  return { client, understudy };
}

const prepared = base64(
  PreparedTransaction.toBinary({
    transaction: { version: "2.1", roots: ["0"], nodes: [], nodeSeeds: [] },
    metadata: {
      submitterInfo: { actAs: [alice], commandId: "c1" },
      synchronizerId: synchronizer,
      mediatorGroup: 0,
      transactionUuid: "u",
      preparationTime: 1n,
      inputContracts: [],
      globalKeyMapping: [],
    },
  }),
);

test.each(["spec", "canton-3.5"] as const)(
  "the published ledger client drives all eight operations in profile %s",
  async (profile) => {
    const { client, understudy } = await clientOf(profile);
    expect(client.getCurrentClientVersion()).toBe("3.5");

    expect((await client.get("/v2/users", { query: { pageSize: "2" } })).users?.map(({ id }) => id)).toEqual([
      "alice",
      "bob",
    ]);
    expect((await client.get("/v2/idps")).identityProviderConfigs).toHaveLength(1);
    const status = await client.get("/v2/packages/{package-id}/status", { path: { "package-id": "unknown" } });
    expect(status.packageStatus).toBe("PACKAGE_STATUS_UNSPECIFIED");

    const granted = await client.grantRights("alice", { canReadAsAnyParty: true });
    expect(granted.newlyGrantedRights).toEqual([{ kind: { CanReadAsAnyParty: { value: {} } } }]);
    const updated = await client.patch(
      "/v2/users/{user-id}",
      {
        user: { id: "bob", isDeactivated: true },
        updateMask: { paths: ["is_deactivated"], unknownFields: { fields: {} } },
      } as never,
      { path: { "user-id": "bob" } },
    );
    expect(updated.user).toMatchObject({ id: "bob", isDeactivated: true });

    const key = keyOf("n");
    const party = `nina::${key.fingerprint}`;
    const transactions = [{ transaction: hostMappingWithKeys(party, [key], [{ id: participant }]), signatures: [] }];
    const allocated = await client.allocateExternalParty(synchronizer, transactions, [...signedBy(key)]);
    expect(allocated.partyId).toBe(party);

    const vetted = await client.post("/v2/package-vetting", {
      changes: [{ operation: { Vet: { value: { packages: [{ packageName: "app", packageVersion: "1.0.0" }] } } } }],
      synchronizerId: synchronizer,
      dryRun: false,
      updateVettedPackagesForceFlags: [],
    } as never);
    expect(vetted.newVettedPackages.topologySerial).toBe(2);

    const executed = await client.post("/v2/interactive-submission/executeAndWait", {
      preparedTransaction: prepared,
      partySignatures: { signatures: [{ party: alice, signatures: [...signedBy(key)] }] },
      deduplicationPeriod: { Empty: {} },
      submissionId: "s1",
      userId: "alice",
      hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
    } as never);
    expect(executed).toMatchObject({ updateId: expect.stringMatching(/^1220[0-9a-f]{64}$/), completionOffset: 43 });

    const paths = understudy.journal.map(({ request }) => request.target.split("?")[0]);
    expect(new Set(paths).size).toBe(9);
  },
);

test.each(["spec", "canton-3.5"] as const)(
  "the published ledger client receives errors in profile %s",
  async (profile) => {
    const { client } = await clientOf(profile);
    const unknown = client.post(
      "/v2/users/{user-id}/rights",
      { userId: "unknown", identityProviderId: "", rights: [] },
      { path: { "user-id": "unknown" } },
    );
    await expect(unknown).rejects.toMatchObject({ code: "USER_NOT_FOUND", errorCategory: 11 });
  },
);

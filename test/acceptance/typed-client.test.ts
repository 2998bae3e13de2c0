import createClient from "openapi-fetch";
import { expect, onTestFinished, test } from "vitest";
import {
  type AdditionalPaths,
  type LedgerPaths,
  type LedgerProfile,
  type RegistryPaths,
  startUnderstudy,
} from "../../src/index.ts";
import { transferLookup } from "../_transfer.ts";

async function clients(profile: LedgerProfile) {
  const understudy = await startUnderstudy({ profile });
  onTestFinished(() => understudy.close());
  const headers = { Authorization: "Bearer any" };
  return {
    understudy,
    ledger: createClient<LedgerPaths>({ baseUrl: understudy.ledgerUrl, headers }),
    registry: createClient<RegistryPaths>({ baseUrl: understudy.registryUrl }),
  };
}

test("openapi-fetch drives additional operations with generated types", async () => {
  const { understudy } = await clients("canton-3.5");
  const headers = { Authorization: "Bearer any" };
  const client = createClient<AdditionalPaths>({ baseUrl: understudy.ledgerUrl, headers });
  expect((await client.GET("/v2/version")).data?.version).toBe("3.5.19");
  const created = await client.POST("/v2/users", { body: { user: { id: "typed" } } });
  expect(created.data?.user.id).toBe("typed");
  const read = await client.GET("/v2/users/{user-id}", { params: { path: { "user-id": "typed" } } });
  expect(read.data?.user.id).toBe("typed");
  const { data: end } = await client.GET("/v2/state/ledger-end");
  const packages = [{ packageId: "5eb7e725e6bac43f2a906437aa7be080081de786a7d12f7b9649be47b69d6ca0" }];
  await client.POST("/v2/package-vetting/update", {
    body: {
      changes: [{ operation: { Vet: { value: { packages } } } }],
      dryRun: false,
      synchronizerId: "global-domain::1220fa79dd1ee8fe25d601870c1b05bb634a8086134bfbe57f870549e2ddaca444e2",
    },
  });
  const prepared = await client.POST("/v2/interactive-submission/prepare", {
    body: {
      commandId: "c",
      actAs: ["alice::12202bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90"],
      commands: [{ CreateCommand: { templateId: "#app:Main:Asset", createArguments: { text: "t" } } }],
    },
  });
  expect([end?.offset, prepared.data?.hashingSchemeVersion]).toEqual([42, "HASHING_SCHEME_VERSION_V2"]);
  const unknown = await client.GET("/registry/metadata/v1/instruments/{instrumentId}", {
    params: { path: { instrumentId: "none" } },
  });
  expect([unknown.response.status, unknown.error]).toEqual([404, { error: "No instrument with id none found" }]);
});

test("one typed client has the methods of both descriptions at a path that they share", async () => {
  const { understudy } = await clients("canton-3.5");
  const headers = { Authorization: "Bearer any" };
  const client = createClient<LedgerPaths & AdditionalPaths>({ baseUrl: understudy.ledgerUrl, headers });
  await client.POST("/v2/users", { body: { user: { id: "both" } } });
  const { data: page } = await client.GET("/v2/users");
  expect(page?.users?.map(({ id }) => id)).toContain("both");
});

test("openapi-fetch refuses a query that the description does not have", async () => {
  const { ledger } = await clients("canton-3.5");
  // @ts-expect-error: the operation has no query.
  expect((await ledger.GET("/v2/idps", { params: { query: { pageSize: 2 } } })).response.status).toBe(200);
});

test.each(["spec", "canton-3.5"] as const)(
  "openapi-fetch drives the ledger with generated types in profile %s",
  async (profile) => {
    const { ledger } = await clients(profile);
    const page = await ledger.GET("/v2/users", { params: { query: { pageSize: 2 } } });
    expect(page.data?.users?.map(({ id }) => id)).toEqual(["alice", "bob"]);
    const next = await ledger.GET("/v2/users", { params: { query: { pageToken: page.data?.nextPageToken ?? "" } } });
    expect(next.data?.users?.[0]?.id).toBe("carol");
    const granted = await ledger.POST("/v2/users/{user-id}/rights", {
      params: { path: { "user-id": "alice" } },
      body: { userId: "alice", rights: [{ kind: { CanReadAsAnyParty: { value: {} } } }] },
    });
    expect(granted.data?.newlyGrantedRights).toEqual([{ kind: { CanReadAsAnyParty: { value: {} } } }]);
    const status = await ledger.GET("/v2/packages/{package-id}/status", { params: { path: { "package-id": "none" } } });
    expect(status.data?.packageStatus).toBe("PACKAGE_STATUS_UNSPECIFIED");
    const providers = await ledger.GET("/v2/idps");
    expect(providers.data?.identityProviderConfigs[0]?.identityProviderId).toBe("corporate");
    const unknown = await ledger.POST("/v2/users/{user-id}/rights", {
      params: { path: { "user-id": "unknown" } },
      body: { userId: "unknown" },
    });
    expect([unknown.response.status, unknown.error]).toMatchObject([404, { code: "USER_NOT_FOUND" }]);
  },
);

test.each(["spec", "canton-3.5"] as const)(
  "openapi-fetch looks a transfer up, through a reassignment, in profile %s",
  async (profile) => {
    const { understudy, registry } = await clients(profile);
    const look = () => registry.POST("/registry/transfer-instruction/v2/transfer-factory", { body: transferLookup() });
    expect((await look()).data?.transferKind).toBe("offer");
    const window = understudy.reassign("external-party-amulet-rules", { to: "synchronizer-b" });
    const during = await look();
    expect([during.response.status, during.error]).toEqual([
      409,
      { error: expect.stringContaining("is being reassigned") },
    ]);
    window.complete();
    const after = await look();
    expect(after.data?.choiceContext.disclosedContracts.at(-1)?.synchronizerId).toMatch(/^second-domain::/);
    expect(understudy.journal.map(({ response }) => response.type === "response" && response.status)).toEqual([
      200, 409, 200,
    ]);
  },
);

import { LedgerClient } from "@canton-network/core-ledger-client";
import { CustomLogAdapter, SDK } from "@canton-network/wallet-sdk";
import createClient from "openapi-fetch";
import type { LedgerPaths, RegistryPaths } from "../../src/index.ts";
import { transferLookup } from "../_transfer.ts";
import { silent, tokens } from "./_published.ts";

// Published clients, unmodified, that call what the spec describes.

const synchronizer = "global-domain::1220fa79dd1ee8fe25d601870c1b05bb634a8086134bfbe57f870549e2ddaca444e2";

/** The published ledger client: users, rights, packages, vetting, and an error. */
export async function callByLedgerClient(url: string): Promise<void> {
  const client = new LedgerClient({
    baseUrl: new URL(url),
    logger: silent as never,
    accessTokenProvider: tokens as never,
  });
  await client.init();
  await client.get("/v2/users", { query: { pageSize: "2" } });
  await client.get("/v2/idps");
  await client.get("/v2/packages/{package-id}/status", { path: { "package-id": "unknown" } });
  await client.grantRights("alice", { canReadAsAnyParty: true });
  const user = { id: "bob", isDeactivated: true };
  const updateMask = { paths: ["is_deactivated"], unknownFields: { fields: {} } };
  await client.patch("/v2/users/{user-id}", { user, updateMask } as never, { path: { "user-id": "bob" } });
  const packages = [{ packageName: "app", packageVersion: "1.0.0" }];
  await client.post("/v2/package-vetting", {
    changes: [{ operation: { Vet: { value: { packages } } } }],
    synchronizerId: synchronizer,
    dryRun: true,
    updateVettedPackagesForceFlags: [],
  } as never);
}

/** openapi-fetch with the types of the contract: pages, a refusal and a lookup. */
export async function callByTypedClient(url: string): Promise<void> {
  const headers = { Authorization: "Bearer any" };
  const ledger = createClient<LedgerPaths>({ baseUrl: url, headers });
  const registry = createClient<RegistryPaths>({ baseUrl: url });
  const page = await ledger.GET("/v2/users", { params: { query: { pageSize: 2 } } });
  await ledger.GET("/v2/users", { params: { query: { pageToken: page.data?.nextPageToken ?? "" } } });
  const path = { "user-id": "unknown" };
  await ledger.POST("/v2/users/{user-id}/rights", { params: { path }, body: { userId: "unknown" } });
  const body = transferLookup();
  await registry.POST("/registry/transfer-instruction/v2/transfer-factory", { body });
}

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** The published wallet SDK: two parties are onboarded with real keys, and one may act as the other. */
export async function callByWalletSdk(url: string): Promise<void> {
  const claims = { sub: "participant_admin", aud: "a", exp: Math.floor(Date.now() / 1000) + 3600 };
  const token = `${base64url({ alg: "HS256", typ: "JWT" })}.${base64url(claims)}.c2lnbmVk`;
  const auth = { method: "static", token } as const;
  const sdk = await SDK.create({
    auth,
    ledgerClientUrl: url,
    logAdapter: new CustomLogAdapter(() => undefined),
    token: { auth, registries: [url] },
    asset: { auth, registries: [url] },
  } as never);
  for (const partyHint of ["sender", "receiver"]) {
    const { publicKey, privateKey } = sdk.keys.generate();
    const prepared = sdk.party.external.create(publicKey, { partyHint });
    const { partyId } = await prepared.sign(privateKey).execute({ grantUserRights: false });
    await sdk.user.rights.grant({ userRights: { actAs: [partyId] } });
    const command = {
      CreateCommand: { templateId: "#splice-amulet:Main:Asset", createArguments: { text: "t" } },
    };
    await sdk.ledger
      .prepare({ partyId, commands: command } as never)
      .sign(privateKey)
      .execute({ partyId });
  }
}

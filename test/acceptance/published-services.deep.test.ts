import { createPrivateKey, sign } from "node:crypto";
import { AmuletService } from "@canton-network/core-amulet-service";
import * as published from "@canton-network/core-provider-ledger";
import { ScanProxyClient } from "@canton-network/core-splice-client";
import { TokenStandardService } from "@canton-network/core-token-standard-service";
import { expect, onTestFinished, test } from "vitest";
import { partiesWithTokens } from "../../src/entrypoints/library/test-parties.ts";
import { startUnderstudy } from "../../src/index.ts";
import { scenarioOf } from "../_scenario.ts";
import { silent } from "./_published.ts";

// The published services of the wallet, unmodified, against a LocalNet: what they build is prepared, signed and executed.

const { LedgerProvider } = published as unknown as { LedgerProvider: new (options: object) => never };
const synchronizer = "global-domain::1220d4d1ec1edb0a8aaa2223d05c7e2d0823152ff355374046c9426e9d053674af9b";
const known = partiesWithTokens(scenarioOf("localnet").initial);

/** The id and the private key of a party of the LocalNet. */
function partyOf(hint: string) {
  const found = known.find(({ party }) => party.startsWith(`${hint}::`));
  const bytes = Buffer.from(found?.privateKey ?? "", "base64");
  return { party: found?.party ?? "", bytes };
}

function signed(hash: string, bytes: Buffer): string {
  const [d, x] = [bytes.subarray(0, 32).toString("base64url"), bytes.subarray(32).toString("base64url")];
  const key = createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d, x }, format: "jwk" });
  return sign(null, Buffer.from(hash, "base64"), key).toString("base64");
}

async function connected() {
  const understudy = await startUnderstudy({ localnet: true, port: 0 });
  onTestFinished(() => understudy.close());
  const { ledgerUrl: url } = understudy;
  const token = await understudy.token({ user: "ledger-api-user" });
  const tokens = {
    getAccessToken: async () => token,
    getAuthContext: async () => ({ userId: "ledger-api-user", accessToken: token }),
  };
  const post = async (path: string, body: object): Promise<ReturnType<typeof JSON.parse>> => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return JSON.parse(await response.text());
  };
  const ledger = new LedgerProvider({ baseUrl: url, accessTokenProvider: tokens });
  const standard = new TokenStandardService(ledger, silent as never, tokens as never, false);
  const scan = new ScanProxyClient(new URL(`${url}/api/validator`), silent as never, tokens as never);
  const amulet = new AmuletService(standard, scan);
  let count = 0;
  /** Prepares, signs and executes what a service built. */
  const execute = (hint: string, [command, disclosed]: readonly [object, readonly object[]]) =>
    run(hint, { ExerciseCommand: command }, disclosed);
  const run = async (hint: string, command: object, disclosedContracts: readonly object[] = []) => {
    const { party, bytes } = partyOf(hint);
    count += 1;
    const prepared = await post("/v2/interactive-submission/prepare", {
      ...{
        userId: "ledger-api-user",
        commandId: `c${count}`,
        actAs: [party],
        readAs: [],
        synchronizerId: synchronizer,
      },
      ...{ commands: [command], disclosedContracts, verboseHashing: false, packageIdSelectionPreference: [] },
    });
    expect(prepared).toHaveProperty("preparedTransactionHash");
    const signature = {
      ...{ format: "SIGNATURE_FORMAT_CONCAT", signature: signed(prepared.preparedTransactionHash, bytes) },
      ...{ signedBy: party.split("::")[1], signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519" },
    };
    const executed = await post("/v2/interactive-submission/executeAndWait", {
      ...{ preparedTransaction: prepared.preparedTransaction, hashingSchemeVersion: prepared.hashingSchemeVersion },
      ...{ userId: "ledger-api-user", submissionId: `s${count}`, deduplicationPeriod: { Empty: {} } },
      partySignatures: { signatures: [{ party, signatures: [signature] }] },
    });
    expect(executed).toHaveProperty("updateId");
  };
  const balanceOf = (hint: string) =>
    understudy.world.holdings
      .filter(({ owner, lockedFor }) => owner === partyOf(hint).party && lockedFor === null)
      .reduce((sum, { amount }) => sum + Number(amount), 0);
  return { understudy, url, standard, amulet, execute, run, balanceOf, admin: await standard.getInstrumentAdmin(url) };
}

const [alice, bob] = [partyOf("alice").party, partyOf("bob").party];

test("the token-standard service transfers tokens, and the receiver accepts, rejects or the sender withdraws", async () => {
  const { url, standard, execute, balanceOf, admin } = await connected();
  expect(await standard.listInstruments(url)).toMatchObject({ instruments: [{ id: "Amulet" }] });
  const choices = [
    ["Accept", "bob", [900, 1100]],
    ["Reject", "bob", [900, 1100]],
    ["Withdraw", "alice", [900, 1100]],
  ] as const;
  for (const [choice, actor, balances] of choices) {
    await execute("alice", await standard.transfer.createTransfer(alice, bob, "100", admin, "Amulet", url));
    const interfaceId =
      "#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferInstruction";
    const [pending] = await standard.listContractsByInterface(interfaceId, bob);
    const id = pending?.contractId ?? "";
    await execute(actor, await standard.transfer.createTransferInstruction(id, url, choice));
    expect([choice, balanceOf("alice"), balanceOf("bob")]).toEqual([choice, ...balances]);
  }
  const { transactions } = await standard.listHoldingTransactions(alice);
  expect(transactions).not.toEqual([]);
});

test("the amulet service taps, features a provider and buys traffic with what the scan proxy says", async () => {
  const { url, amulet, execute, balanceOf, admin } = await connected();
  expect(await amulet.isDevNet()).toBe(true);
  await execute("alice", await amulet.createTap(alice, "500000", admin, "Amulet", url));
  expect(balanceOf("alice")).toBe(501_000);
  await execute("alice", await amulet.selfGrantFeatureAppRight(alice, synchronizer));
  expect(await amulet.getFeaturedAppsByParty(alice)).toMatchObject({ payload: { provider: alice } });
  await execute("alice", await amulet.buyMemberTraffic(admin, alice, 200_000, synchronizer, "PAR::a::1220ab", 0));
  // 200,000 bytes cost 3.334 USD, at 0.005 USD for an Amulet.
  expect(balanceOf("alice")).toBeCloseTo(501_000 - 666.8);
});

test("the amulet service reads and cancels the pre-approval that the validator has given", async () => {
  const { amulet, execute, run, admin, understudy } = await connected();
  const provider = understudy.world.users.find(({ id }) => id === "ledger-api-user")?.primaryParty ?? "";
  const templateId = "#splice-wallet:Splice.Wallet.TransferPreapproval:TransferPreapprovalProposal";
  await run("bob", { CreateCommand: { templateId, createArguments: { receiver: bob, provider, expectedDso: admin } } });
  const { contract } = await amulet.getTransferPreApprovalByParty(bob);
  expect(contract.payload).toMatchObject({ receiver: bob, provider });
  await execute("bob", await amulet.cancelTransferPreapproval(contract.contract_id, contract.template_id, bob));
  await expect(amulet.getTransferPreApprovalByParty(bob)).rejects.toThrow();
});

test("the tokens of a tap of the library are inputs of the service", async () => {
  const { understudy, url, standard, execute, balanceOf, admin } = await connected();
  understudy.tap(alice, "500");
  await execute("alice", await standard.transfer.createTransfer(alice, bob, "1500", admin, "Amulet", url));
  expect(balanceOf("alice")).toBe(0);
});

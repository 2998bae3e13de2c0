import { CustomLogAdapter, SDK } from "@canton-network/wallet-sdk";
import { expect, onTestFinished, test } from "vitest";
import { checkClientRules } from "../../src/checker/engine/client-checker.ts";
import { loadSpec } from "../../src/foundation/spec/spec.ts";
import { startUnderstudy } from "../../src/index.ts";
import { extraArgs, transferOf } from "../_transfer.ts";
import { darOf } from "../archives/dar-of.ts";
import { IOU } from "../archives/packages/iou.ts";

// The published wallet SDK, unmodified, over HTTP: it generates keys, recomputes hashes and signs them.

const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A JWT of a user. The SDK decodes the token before it sends it; the stub does not verify it. */
function tokenOf(userId: string): string {
  const expiry = Math.floor(Date.now() / 1000) + 3600;
  return `${base64url({ alg: "HS256", typ: "JWT" })}.${base64url({ sub: userId, aud: "a", exp: expiry })}.c2lnbmVk`;
}

async function connected() {
  // The SDK uses the clock of the machine for the times of a transfer.
  const understudy = await startUnderstudy({
    profile: "canton-3.5",
    verifySignatures: true,
    start: new Date(),
    clock: "real",
  });
  onTestFinished(() => understudy.close());
  const auth = { method: "static", token: tokenOf("participant_admin") } as const;
  const sdk = await SDK.create({
    auth,
    ledgerClientUrl: understudy.ledgerUrl,
    logAdapter: new CustomLogAdapter(() => undefined),
    token: { auth, registries: [understudy.ledgerUrl] },
    asset: { auth, registries: [understudy.ledgerUrl] },
  } as never);
  const onboard = async (partyHint: string) => {
    const { publicKey, privateKey } = sdk.keys.generate();
    const prepared = sdk.party.external.create(publicKey, { partyHint });
    const { partyId } = await prepared.sign(privateKey).execute({ grantUserRights: false });
    await sdk.user.rights.grant({ userRights: { actAs: [partyId] } });
    return { partyId, privateKey, prepared };
  };
  const world = async () =>
    JSON.parse(await (await fetch(`${understudy.ledgerUrl}/__understudy/worlds/default`)).text());
  const registryUrl = new URL(understudy.ledgerUrl);
  /** The client rules that the SDK breaks. */
  const clientRules = () => [...new Set(checkClientRules(spec, understudy.journal).map(({ rule }) => rule))].sort();
  return { clientRules, understudy, sdk, onboard, world, registryUrl };
}

type Connected = Awaited<ReturnType<typeof connected>>;

/** Gives tokens to a party with the tap of a development network. */
async function tap({ sdk, world, understudy }: Connected, owner: { partyId: string; privateKey: string }) {
  const contracts: { name: string; contractId: string }[] = (await world()).contracts;
  const idOf = (name: string) => contracts.find((contract) => contract.name === name)?.contractId ?? "";
  const admin = "dso::1220ab";
  const transfer = { ...transferOf(owner.partyId, owner.partyId, admin), lock: null };
  const response = await fetch(`${understudy.ledgerUrl}/registry/transfer-instruction/v1/transfer-factory`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ choiceArguments: { expectedAdmin: admin, transfer, extraArgs } }),
  });
  const { choiceContext } = JSON.parse(await response.text());
  const command = {
    ExerciseCommand: {
      templateId: "#splice-amulet:Splice.AmuletRules:AmuletRules",
      contractId: idOf("amulet-rules"),
      choice: "AmuletRules_DevNet_Tap",
      choiceArgument: {
        receiver: owner.partyId,
        amount: "100",
        openRound: choiceContext.choiceContextData.values["open-round"].value,
      },
    },
  };
  const disclosedContracts = choiceContext.disclosedContracts;
  return sdk.ledger
    .prepare({ partyId: owner.partyId, commands: command, disclosedContracts } as never)
    .sign(owner.privateKey)
    .execute({ partyId: owner.partyId });
}

async function offer(options: Connected, sender: { partyId: string; privateKey: string }, recipient: string) {
  const { sdk, registryUrl } = options;
  const [command, disclosedContracts] = await sdk.token.transfer.create({
    sender: sender.partyId,
    recipient,
    amount: "30",
    instrumentId: "Amulet",
    registryUrl,
    expirationDate: new Date(Date.now() + 3_600_000),
  });
  return sdk.ledger.prepare({ partyId: sender.partyId, commands: command, disclosedContracts } as never);
}

test("the SDK onboards two parties, transfers tokens and accepts the transfer, with real hashes and signatures", async () => {
  const options = await connected();
  const { sdk, onboard, world, registryUrl, clientRules } = options;
  const [sender, receiver] = [await onboard("sender"), await onboard("receiver")];
  const topology = await sender.prepared.topology();
  expect(await sdk.utils.hash.topologyTransaction(topology.topologyTransactions)).toBe(topology.multiHash);
  expect(await sdk.party.list()).toEqual(expect.arrayContaining([sender.partyId, receiver.partyId]));

  await tap(options, sender);
  const prepared = await offer(options, sender, receiver.partyId);
  const { response } = await prepared.toJSON();
  const hash = await sdk.utils.hash.preparedTransaction(response.preparedTransaction);
  expect(hash.toBase64()).toBe(response.preparedTransactionHash);
  await prepared.sign(sender.privateKey).execute({ partyId: sender.partyId });

  const [pending] = await sdk.token.transfer.pending(receiver.partyId);
  const [accept, disclosedContracts] = await sdk.token.transfer.accept({
    transferInstructionCid: pending?.contractId ?? "",
    registryUrl,
  });
  const executed = await sdk.ledger
    .prepare({ partyId: receiver.partyId, commands: accept, disclosedContracts } as never)
    .sign(receiver.privateKey)
    .execute({ partyId: receiver.partyId });
  expect(executed).toMatchObject({ completionOffset: 45 });

  const amounts = async (partyId: string) =>
    (await sdk.token.utxos.list({ partyId })).map(({ interfaceViewValue }) => interfaceViewValue.amount);
  expect([await amounts(sender.partyId), await amounts(receiver.partyId)]).toEqual([
    ["70.0000000000"],
    ["30.0000000000"],
  ]);
  expect((await world()).transferInstructions).toEqual([]);
  // The SDK sends the token of the ledger to the registry. The tap above forwards the debug fields.
  expect(clientRules()).toEqual(["debug-fields-stay-behind", "token-stays-at-ledger"]);
});

test("a withdrawn offer returns the tokens to the sender, and the receiver cannot accept it", async () => {
  const options = await connected();
  const { sdk, onboard, registryUrl } = options;
  const [sender, receiver] = [await onboard("sender"), await onboard("receiver")];
  await tap(options, sender);
  await (await offer(options, sender, receiver.partyId)).sign(sender.privateKey).execute({ partyId: sender.partyId });
  const [pending] = await sdk.token.transfer.pending(sender.partyId);
  const transferInstructionCid = pending?.contractId ?? "";
  expect(await sdk.token.utxos.list({ partyId: sender.partyId, includeLocked: false })).toHaveLength(1);
  const [withdraw, disclosedContracts] = await sdk.token.transfer.withdraw({ transferInstructionCid, registryUrl });
  await sdk.ledger
    .prepare({ partyId: sender.partyId, commands: withdraw, disclosedContracts } as never)
    .sign(sender.privateKey)
    .execute({ partyId: sender.partyId });
  const held = await sdk.token.utxos.list({ partyId: sender.partyId });
  expect(held.map(({ interfaceViewValue }) => interfaceViewValue.amount).sort()).toEqual([
    "30.0000000000",
    "70.0000000000",
  ]);
  await expect(sdk.token.transfer.accept({ transferInstructionCid, registryUrl })).rejects.toMatchObject({
    error: expect.stringContaining("not found"),
  });
});

test("a signature by another key is refused, and the transaction can be submitted again", async () => {
  const options = await connected();
  const { onboard } = options;
  const [sender, stranger] = [await onboard("sender"), await onboard("stranger")];
  await tap(options, sender);
  const prepared = await offer(options, sender, stranger.partyId);
  await expect(prepared.sign(stranger.privateKey).execute({ partyId: sender.partyId })).rejects.toMatchObject({
    code: "FAILED_TO_EXECUTE_TRANSACTION",
    cause: expect.stringContaining("0 valid signatures"),
  });
  expect(await prepared.sign(sender.privateKey).execute({ partyId: sender.partyId })).toMatchObject({
    completionOffset: 44,
  });
});

test("an onboarding signed by another key is refused", async () => {
  const { sdk } = await connected();
  const [own, other] = [sdk.keys.generate(), sdk.keys.generate()];
  const creation = sdk.party.external.create(own.publicKey, { partyHint: "forged" });
  await expect(creation.sign(other.privateKey).execute({ grantUserRights: false })).rejects.toMatchObject({
    code: "Transaction signature verification failed",
  });
});

test("the wallet SDK uploads a DAR, and finds its package", async () => {
  const { sdk } = await connected();
  expect(await sdk.ledger.dar.check(IOU.id)).toBe(false);
  await sdk.ledger.dar.upload(darOf(IOU), IOU.id);
  expect(await sdk.ledger.dar.check(IOU.id)).toBe(true);
});

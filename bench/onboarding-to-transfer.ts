// Measures a whole flow: two parties are onboarded, one gets tokens and offers some, the other accepts.
// Signatures are verified; the time to sign is not counted. Run with `npm run bench:flow`.
import { ed25519 } from "@noble/curves/ed25519.js";
import { fingerprintOf } from "../src/foundation/protobuf/fingerprint.ts";
import { createUnderstudy } from "../src/index.ts";

const rounds = 200;
const warmUp = 20;

interface Party {
  readonly id: string;
  readonly secret: Uint8Array;
  readonly fingerprint: string;
}

type HandlerResponse = ReturnType<typeof JSON.parse>;

class Flow {
  spentMs = 0;
  readonly #understudy = createUnderstudy({ profile: "canton-3.5", verifySignatures: true });

  async run(): Promise<void> {
    const [sender, receiver] = [await this.#onboard("sender", 1), await this.#onboard("receiver", 2)];
    await this.#tap(sender);
    await this.#offer(sender, receiver);
    await this.#accept(receiver);
  }

  /** Sends a request, and adds the time until its response. */
  async #ask(path: string, body?: object): Promise<HandlerResponse> {
    const request = {
      method: body === undefined ? "GET" : "POST",
      headers: { Authorization: "Bearer any", "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const startedMs = performance.now();
    const response = await this.#understudy.fetch(path, request);
    const text = await response.text();
    this.spentMs += performance.now() - startedMs;
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return JSON.parse(text);
  }

  async #onboard(partyHint: string, seed: number): Promise<Party> {
    const secret = new Uint8Array(32).fill(seed);
    const publicKey = ed25519.getPublicKey(secret);
    const { connectedSynchronizers } = await this.#ask("/v2/state/connected-synchronizers");
    const synchronizer = connectedSynchronizers[0].synchronizerId;
    const topology = await this.#ask("/v2/parties/external/generate-topology", {
      synchronizer,
      partyHint,
      publicKey: {
        format: "CRYPTO_KEY_FORMAT_RAW",
        keyData: Buffer.from(publicKey).toString("base64"),
        keySpec: "SIGNING_KEY_SPEC_EC_CURVE25519",
      },
    });
    const party = { id: topology.partyId, secret, fingerprint: fingerprintOf(publicKey) };
    await this.#ask("/v2/parties/external/allocate", {
      synchronizer,
      onboardingTransactions: topology.topologyTransactions.map((transaction: string) => ({ transaction })),
      multiHashSignatures: [signatureOf(topology.multiHash, party)],
      userId: "alice",
    });
    return party;
  }

  async #submit(party: Party, ExerciseCommand: object, disclosedContracts: readonly object[]): Promise<void> {
    const prepared = await this.#ask("/v2/interactive-submission/prepare", {
      commandId: `${party.id}/${this.spentMs}`.slice(0, 200),
      commands: [{ ExerciseCommand }],
      actAs: [party.id],
      disclosedContracts,
    });
    await this.#ask("/v2/interactive-submission/executeAndWait", {
      preparedTransaction: prepared.preparedTransaction,
      hashingSchemeVersion: prepared.hashingSchemeVersion,
      submissionId: "s",
      deduplicationPeriod: { Empty: {} },
      partySignatures: {
        signatures: [{ party: party.id, signatures: [signatureOf(prepared.preparedTransactionHash, party)] }],
      },
    });
  }

  async #tap(owner: Party): Promise<void> {
    const { choiceContext } = await this.#lookUp(owner, owner, []);
    const { values } = choiceContext.choiceContextData;
    const choiceArgument = { receiver: owner.id, amount: "100", openRound: values["open-round"].value };
    const command = {
      templateId: "#splice-amulet:Splice.AmuletRules:AmuletRules",
      contractId: values["amulet-rules"].value,
      choice: "AmuletRules_DevNet_Tap",
      choiceArgument,
    };
    await this.#submit(owner, command, choiceContext.disclosedContracts);
  }

  async #offer(sender: Party, receiver: Party): Promise<void> {
    const inputs = await this.#contracts(sender, "Splice.Api.Token.HoldingV1:Holding");
    const { factoryId, choiceContext } = await this.#lookUp(sender, receiver, inputs);
    const argument = transferArguments(sender, receiver, inputs);
    const command = {
      templateId: "#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferFactory",
      contractId: factoryId,
      choice: "TransferFactory_Transfer",
      choiceArgument: {
        ...argument,
        extraArgs: { ...argument.extraArgs, context: choiceContext.choiceContextData },
      },
    };
    await this.#submit(sender, command, choiceContext.disclosedContracts);
  }

  async #accept(receiver: Party): Promise<void> {
    const name = "Splice.Api.Token.TransferInstructionV1:TransferInstruction";
    const [contractId] = await this.#contracts(receiver, name);
    const context = await this.#ask(`/registry/transfer-instruction/v1/${contractId}/choice-contexts/accept`, {});
    const extraArgs = { context: context.choiceContextData, meta: { values: {} } };
    const command = {
      templateId: `#splice-api-token-transfer-instruction-v1:${name}`,
      contractId,
      choice: "TransferInstruction_Accept",
      choiceArgument: { extraArgs },
    };
    await this.#submit(receiver, command, context.disclosedContracts);
  }

  async #contracts(party: Party, interfaceName: string): Promise<readonly string[]> {
    const { offset } = await this.#ask("/v2/state/ledger-end");
    const InterfaceFilter = { value: { interfaceId: `#any:${interfaceName}`, includeInterfaceView: true } };
    const filtersByParty = { [party.id]: { cumulative: [{ identifierFilter: { InterfaceFilter } }] } };
    const entries: HandlerResponse[] = await this.#ask("/v2/state/active-contracts", {
      activeAtOffset: offset,
      eventFormat: { filtersByParty },
    });
    return entries.map(({ contractEntry }) => contractEntry.JsActiveContract.createdEvent.contractId);
  }

  #lookUp(sender: Party, receiver: Party, inputs: readonly string[]): Promise<HandlerResponse> {
    const choiceArguments = transferArguments(sender, receiver, inputs);
    return this.#ask("/registry/transfer-instruction/v1/transfer-factory", {
      choiceArguments,
      excludeDebugFields: true,
    });
  }
}

const admin = "DSO::12206c8fd2dd9768e7414dab87a0e087f4f72026463827e6fb17c516cca1a8cc1686";

function transferArguments(sender: Party, receiver: Party, inputHoldingCids: readonly string[]) {
  const empty = { values: {} };
  return {
    expectedAdmin: admin,
    transfer: {
      sender: sender.id,
      receiver: receiver.id,
      amount: "30",
      instrumentId: { admin, id: "Amulet" },
      requestedAt: "2025-12-31T00:00:00Z",
      executeBefore: "2026-02-01T00:00:00Z",
      inputHoldingCids,
      meta: empty,
    },
    extraArgs: { context: empty, meta: empty },
  };
}

function signatureOf(hash: string, { secret, fingerprint }: Party) {
  const signature = ed25519.sign(new Uint8Array(Buffer.from(hash, "base64")), secret);
  return {
    format: "SIGNATURE_FORMAT_CONCAT",
    signature: Buffer.from(signature).toString("base64"),
    signedBy: fingerprint,
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  };
}

const times: number[] = [];
for (let round = 0; round < rounds + warmUp; round += 1) {
  const flow = new Flow();
  await flow.run();
  if (round >= warmUp) times.push(flow.spentMs);
}
times.sort((left, right) => left - right);
const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1);
console.log(
  `onboarding to transfer, ${rounds} flows of 19 requests: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, worst ${at(1)} ms`,
);

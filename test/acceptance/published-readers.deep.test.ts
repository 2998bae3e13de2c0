import { ACSReader, awaitCompletion } from "@canton-network/core-acs-reader";
import { WebSocketClient } from "@canton-network/core-asyncapi-client";
import * as provider from "@canton-network/core-provider-ledger";
import { TransactionParser } from "@canton-network/core-tx-parser";
import { CustomLogAdapter, SDK } from "@canton-network/wallet-sdk";
import { expect, onTestFinished, test } from "vitest";
import { startUnderstudy } from "../../src/index.ts";

// The published readers of the Wallet SDK, unmodified, over HTTP and WebSockets: streams, active contracts, and the history of a wallet.

const userId = "ledger-api-user";
const holding = "#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding";
const instruction =
  "#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferInstruction";
const amulet = "#splice-amulet:Splice.Amulet:Amulet";

type Json = ReturnType<typeof JSON.parse>;

interface Party {
  readonly partyId: string;
  readonly privateKey: string;
}

async function connected() {
  const understudy = await startUnderstudy({ localnet: true, port: 0 });
  onTestFinished(() => understudy.close());
  const { ledgerUrl: url } = understudy;
  const token = await understudy.token({ user: userId });
  const accessTokenProvider = {
    getAccessToken: async () => token,
    getAuthContext: async () => ({ userId, accessToken: token }),
  };
  const auth = { method: "static", token } as const;
  const registryUrl = new URL(url);
  const sdk = await SDK.create({
    auth,
    ledgerClientUrl: url,
    logAdapter: new CustomLogAdapter(() => undefined),
    token: { auth, registries: [url] },
    amulet: { auth, validatorUrl: `${url}/api/validator`, scanApiUrl: `${url}/api/scan`, registryUrl: url },
  } as never);
  const onboard = async (partyHint: string): Promise<Party> => {
    const { publicKey, privateKey } = sdk.keys.generate();
    const { partyId } = await sdk.party.external
      .create(publicKey, { partyHint })
      .sign(privateKey)
      .execute({ grantUserRights: false });
    await sdk.user.rights.grant({ userRights: { actAs: [partyId] } });
    return { partyId, privateKey };
  };
  const submit = ({ partyId, privateKey }: Party, [commands, disclosedContracts]: readonly unknown[]) =>
    sdk.ledger
      .prepare({ partyId, commands, disclosedContracts } as never)
      .sign(privateKey)
      .execute({ partyId });
  const [alice, bob] = [await onboard("alice"), await onboard("bob")];
  // Its type declarations import files without extensions, which this module resolution does not support.
  const ledger = new (Object(provider).LedgerProvider)({ baseUrl: url, accessTokenProvider } as never);
  const request = (requestMethod: "get" | "post", resource: string, more: object = {}): Promise<Json> =>
    ledger.request({ method: "ledgerApi", params: { requestMethod, resource, ...more } } as never);
  return {
    ...{ alice, bob, ledger, request },
    streams: new WebSocketClient({ baseUrl: url.replace("http", "ws"), accessTokenProvider, version: "3.5" } as never),
    ledgerEnd: async (): Promise<number> => (await request("get", "/v2/state/ledger-end")).offset,
    tap: async (amount: string) => submit(alice, await sdk.amulet.tap(alice.partyId, amount)),
    offer: async (amount: string) =>
      submit(
        alice,
        await sdk.token.transfer.create({
          ...{ sender: alice.partyId, recipient: bob.partyId, amount, instrumentId: "Amulet", registryUrl },
          memo: "rent",
        }),
      ),
    accept: async () => {
      const [pending] = await sdk.token.transfer.pending(bob.partyId);
      const transferInstructionCid = pending?.contractId ?? "";
      return submit(bob, await sdk.token.transfer.accept({ transferInstructionCid, registryUrl }));
    },
  };
}

type Connected = Awaited<ReturnType<typeof connected>>;

/** The first elements of a stream, all of a finite one. */
async function elementsOf(stream: AsyncIterable<unknown>, count = Number.POSITIVE_INFINITY): Promise<readonly Json[]> {
  const elements: unknown[] = [];
  for await (const element of stream) if (elements.push(element) === count) break;
  return elements;
}

const eventsOf = ({ update }: Json): readonly string[] =>
  update.Transaction.value.events.map((event: object) => Object.keys(event)[0]);

test("the WebSocket client reads bounded updates to their end, follows new ones, and reads completions", async () => {
  const { alice, bob, streams, ledgerEnd, tap, offer, accept } = await connected();
  const beginExclusive = await ledgerEnd();
  const followed = elementsOf(
    streams.streamUpdates({ beginExclusive, partyId: alice.partyId, templateIds: [amulet] } as never),
    1,
  );
  await tap("1000");
  await offer("30");
  await accept();
  const endInclusive = await ledgerEnd();
  const updatesOf = async ({ partyId }: Party, more: object) =>
    (await elementsOf(streams.streamUpdates({ beginExclusive, endInclusive, partyId, ...more } as never))).map(
      eventsOf,
    );
  expect(await updatesOf(alice, { interfaceIds: [holding, instruction] })).toEqual([
    ["CreatedEvent"],
    ["ArchivedEvent", "CreatedEvent", "CreatedEvent", "CreatedEvent"],
    ["ArchivedEvent", "ArchivedEvent"],
  ]);
  expect(await updatesOf(bob, { templateIds: [amulet] })).toHaveLength(1);
  expect(await followed).toMatchObject([{ update: expect.anything() }]);
  const completions = await elementsOf(
    streams.streamCompletions({ beginExclusive, userId, parties: [alice.partyId] }),
    2,
  );
  expect(completions).toMatchObject(
    [1, 2].map(() => ({ completionResponse: { Completion: { value: { status: { code: 0 }, userId } } } })),
  );
});

test("the reader of active contracts gives holdings, and its cache follows the updates after its snapshot", async () => {
  const { alice, ledger, ledgerEnd, tap, offer, request } = await connected();
  await tap("1000");
  const reader: Json = new ACSReader(ledger);
  const ofAlice = { parties: [alice.partyId], filterByParty: true };
  const amounts = async (options: object) =>
    (await reader.readJsContracts({ ...ofAlice, ...options }))
      .flatMap(({ interfaceViews }: Json) => interfaceViews.map(({ viewValue }: Json) => viewValue.amount))
      .sort();
  expect(await amounts({ interfaceIds: [holding] })).toEqual(["1000.0000000000"]);
  const beginExclusive = await ledgerEnd();
  await offer("30");
  expect(await amounts({ interfaceIds: [holding] })).toEqual(["30.0000000000", "970.0000000000"]);
  expect(await reader.raw.readJsContracts({ ...ofAlice, templateIds: [amulet] })).toHaveLength(1);
  const [{ completionResponse }] = await request("post", "/v2/commands/completions", {
    body: { userId, parties: [alice.partyId], beginExclusive },
  });
  const { commandId, updateId } = completionResponse.Completion.value;
  expect(await awaitCompletion(ledger, beginExclusive, alice.partyId as never, userId, commandId)).toMatchObject({
    updateId,
  });
});

/** What the parser makes of each transaction of a party: the kind, and the changes of unlocked and locked amounts. */
async function historyOf({ ledger, request }: Connected, { partyId }: Party, beginExclusive: number) {
  const cumulative = [holding, instruction].map((interfaceId) => ({
    identifierFilter: {
      InterfaceFilter: { value: { interfaceId, includeInterfaceView: true, includeCreatedEventBlob: false } },
    },
  }));
  const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } };
  const eventFormat = { filtersByParty: { [partyId]: { cumulative: [wildcard, ...cumulative] } }, verbose: true };
  const updates = await request("post", "/v2/updates", {
    body: {
      beginExclusive,
      verbose: false,
      updateFormat: { includeTransactions: { eventFormat, transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS" } },
    },
    query: { limit: 100 },
  });
  const parsed: unknown[] = [];
  for (const { update } of updates)
    if (update.Transaction !== undefined) {
      const parser = new TransactionParser(ledger, update.Transaction.value, partyId as never, false);
      for (const event of (await parser.parseTransaction()).events)
        parsed.push([
          event.label.type,
          event.unlockedHoldingsChangeSummary.amountChange,
          event.lockedHoldingsChangeSummary.amountChange,
          Object(event.label).reason,
        ]);
    }
  return parsed;
}

test("the transaction parser reads a tap, an offer and its acceptance, as each party sees them", async () => {
  const options = await connected();
  const beginExclusive = await options.ledgerEnd();
  await options.tap("1000");
  await options.offer("30");
  await options.accept();
  expect(await historyOf(options, options.alice, beginExclusive)).toEqual([
    ["Mint", "1000", "0", "tapped faucet"],
    ["MergeSplit", "-30", "30", "rent"],
    ["TransferOut", "0", "-30", "rent"],
  ]);
  expect(await historyOf(options, options.bob, beginExclusive)).toEqual([["TransferIn", "30", "0", "rent"]]);
});

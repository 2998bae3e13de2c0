import type { DamlValue } from "../../src/foundation/protobuf/daml-value.ts";
import { holdingsOf } from "../../src/simulator/daml/token-contracts.ts";
import { type RequestedStub, stubOver } from "./_stub.ts";

// A ledger with a validator's operator and the registry of a development network, and functions that submit choices of Splice.

const key = (digit: string) => `1220${digit.repeat(64)}`;
export const dso: string = `DSO::${key("d")}`;
export const operator: string = `operator::${key("0")}`;
export const alice: string = `alice::${key("a")}`;
export const bob: string = `bob::${key("b")}`;
export const synchronizer: string = `global-domain::${key("e")}`;
const pkg = "6d1798ffd7e60d49c64fc3ec35f8f814f9aecbcc96cea1056c6973d9c59d7cf0";

const ledger = (users: string) => `participantId: participant::${key("f")}
synchronizers: [{ alias: global, id: "${synchronizer}", protocolVersion: 34 }]
parties: [{ id: "${operator}" }, { id: "${alice}" }, { id: "${bob}" }, { id: "${dso}" }]
users: ${users}
packages:
  - { id: ${pkg}, name: splice-amulet, version: 0.1.14 }
  - { id: ${"a".repeat(64)}, name: splice-wallet, version: 0.1.14 }
  - { id: ${"b".repeat(64)}, name: splice-util-token-standard-wallet, version: 1.0.0 }
`;

const registry = `admin: ${dso}
instruments: [{ id: Amulet }]
factory:
  contract: factory
  context:
    - { key: amulet-rules, contracts: [rules] }
    - { key: open-round, contracts: [round], missing: No open usable OpenMiningRound found. }
preapprovals: [{ receiver: "${bob}", contract: preapproval-bob }]
contracts:
  - { name: rules, templateId: "${pkg}:Splice.AmuletRules:AmuletRules", packageName: splice-amulet, createdAt: 2025-12-31T00:00:00Z, synchronizer: "${synchronizer}", payload: { dso: "${dso}", isDevNet: true, configSchedule: { initialValue: { transferPreapprovalFee: "1.0", decentralizedSynchronizer: { fees: { extraTrafficPrice: "20.0", minTopupAmount: "200000" } } } } } }
  - { name: factory, templateId: "${pkg}:Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules", packageName: splice-amulet, createdAt: 2025-12-31T00:00:00Z, synchronizer: "${synchronizer}" }
  - { name: round, templateId: "${pkg}:Splice.Round:OpenMiningRound", packageName: splice-amulet, createdAt: 2025-12-31T00:00:00Z, opensAt: 2025-12-31T00:00:00Z, synchronizer: "${synchronizer}", payload: { round: { number: "7" }, amuletPrice: "0.5" } }
  - { name: preapproval-bob, templateId: "${pkg}:Splice.AmuletRules:TransferPreapproval", packageName: splice-amulet, createdAt: 2025-12-31T00:00:00Z, synchronizer: "${synchronizer}", payload: { dso: "${dso}", receiver: "${bob}", provider: "${operator}", validFrom: 2025-12-01T00:00:00Z, expiresAt: 2026-01-11T00:00:00Z } }
holdings:
  - { name: one, owner: "${operator}", instrument: Amulet, amount: "600" }
  - { name: two, owner: "${operator}", instrument: Amulet, amount: "400" }
`;

export interface SpliceStub extends RequestedStub {
  post(path: string, body: object): ReturnType<typeof JSON.parse>;
  /** Exercises a choice; the response is that of submit-and-wait-for-transaction. */
  exercise(
    contractId: string,
    choice: string,
    argument: object,
    actAs: readonly string[],
  ): ReturnType<typeof JSON.parse>;
  create(templateId: string, argument: object, actAs: readonly string[]): ReturnType<typeof JSON.parse>;
  /** The contract id of a contract of the registry fixture. */
  idOf(name: string): string;
  /** The active contracts of a template, as the ledger state has them. */
  contractsOf(entity: string): readonly { readonly contractId: string; readonly argument: DamlValue }[];
  /** The amounts of the unlocked tokens of a party. */
  balance(party: string): readonly string[];
  inputs(party: string): readonly object[];
}

/** With `users: "[]"` the validator has no operator. `closesAt` ends the pre-approval of bob. */
export function spliceStub(
  users = `[{ id: ledger-api-user, primaryParty: "${operator}" }]`,
  { closesAt = "", isVerifying = false }: { readonly closesAt?: string; readonly isVerifying?: boolean } = {},
): SpliceStub {
  const closed = closesAt === "" ? registry : registry.replace("name: preapproval-bob,", `$& closesAt: ${closesAt},`);
  const requested = stubOver(
    { ledger: ledger(users), registry: closed, extension: "clock: { start: 2026-01-01T00:00:00Z }" },
    "canton-3.5",
    "none",
    isVerifying,
  );
  const post = (path: string, body: object) =>
    JSON.parse(requested.ask(path, { method: "POST", body, headers: [["Content-Type", "application/json"]] }).text);
  const registryState = () => requested.world.state.registry;
  const disclosed = () =>
    [...registryState().contracts.values()].map(({ contractId, templateId, createdEventBlob }) => ({
      contractId,
      templateId,
      createdEventBlob,
      synchronizerId: synchronizer,
    }));
  let count = 0;
  const submit = (command: object, actAs: readonly string[]) => {
    count += 1;
    const commands = {
      commands: [command],
      commandId: `c${count}`,
      actAs,
      userId: "u",
      disclosedContracts: disclosed(),
    };
    return post("/v2/commands/submit-and-wait-for-transaction", {
      commands,
      transactionFormat: {
        transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
        eventFormat: { filtersByParty: {}, filtersForAnyParty: {}, verbose: true },
      },
    });
  };
  const templateOf = (id: string) =>
    requested.world.state.ledger.contracts.get(id)?.templateId ?? "#splice-amulet:Main:Unknown";
  const tokens = (party: string) =>
    holdingsOf(requested.world.state.ledger.contracts.values(), registryState()).filter(
      ({ holding }) => holding.owner === party && holding.lock === undefined,
    );
  return {
    ...requested,
    post,
    exercise: (contractId, choice, choiceArgument, actAs) =>
      submit({ ExerciseCommand: { templateId: templateOf(contractId), contractId, choice, choiceArgument } }, actAs),
    create: (templateId, createArguments, actAs) => submit({ CreateCommand: { templateId, createArguments } }, actAs),
    idOf: (name) => registryState().contracts.get(name)?.contractId ?? "",
    contractsOf: (entity) =>
      [...requested.world.state.ledger.contracts.values()].filter(({ templateId }) =>
        templateId.endsWith(`:${entity}`),
      ),
    balance: (party) =>
      tokens(party)
        .map(({ holding }) => holding.amount)
        .sort(),
    inputs: (party) => tokens(party).map(({ contract }) => ({ tag: "InputAmulet", value: contract.contractId })),
  };
}

/** The payment context of a stub's registry. */
export function paymentContext({ idOf }: SpliceStub): { readonly amuletRules: string; readonly context: object } {
  return {
    amuletRules: idOf("rules"),
    context: { openMiningRound: idOf("round"), issuingMiningRounds: [], validatorRights: [], featuredAppRight: null },
  };
}

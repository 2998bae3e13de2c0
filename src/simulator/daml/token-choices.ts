import type { DamlValue } from "../../foundation/protobuf/daml-value.ts";
import { amountOf, unitsOf } from "../registry/amount.ts";
import { factoriesOf, ofInstrument } from "../registry/registry-state.ts";
import { contractId, contractIds, fieldOf, microsAt, noMetadata, record, textAt, textsAt, variant } from "./_fields.ts";
import { type Argument, demand, type Interpretation, InterpretationFailure } from "./interpretation.ts";
import {
  holdingContract,
  instructionContract,
  type PendingTransfer,
  readHolding,
  readInstruction,
  readPreapproval,
} from "./token-contracts.ts";
import { type Generation, transferFactoryTypes, transferInstructionTypes } from "./token-types.ts";
import type { KnownContract } from "./transaction-builder.ts";

// The choices of the token standard, as the Amulet registry executes them (Splice 0.7, ExternalPartyAmuletRules.daml).

/** A choice ready to execute: its decoded argument, and `inside`, which adds the nodes below it and gives its result. */
export interface ChoiceExecution {
  readonly argument: DamlValue;
  readonly isConsuming: boolean;
  readonly actingParties: readonly string[];
  inside(): DamlValue;
}

interface ExercisedChoice {
  readonly contract: KnownContract;
  readonly interfaceId: string | undefined;
  readonly argument: Argument;
}

/** The execution of a choice; undefined if the token standard has no such choice on such a contract. */
export function tokenChoice(
  choice: string,
  requested: ExercisedChoice,
  interpretation: Interpretation,
): ChoiceExecution | undefined {
  const { registry } = interpretation.options;
  const { contractId } = requested.contract;
  const isFactory = factoriesOf(registry).some(
    ({ contract }) => registry.contracts.get(contract)?.contractId === contractId,
  );
  if (choice === "TransferFactory_Transfer" && isFactory) return transfer(requested, interpretation);
  const pending = readInstruction(requested.contract);
  const ending = endings.find((candidate) => candidate.choice === choice);
  if (pending === undefined || ending === undefined) return undefined;
  return endTransfer(ending, pending, requested, interpretation);
}

function generationOf(interfaceId: string | undefined): Generation {
  return interfaceId?.includes("V2:") === true ? "v2" : "v1";
}

interface Transfer extends Omit<PendingTransfer, "locked"> {
  readonly admin: string;
  readonly inputs: readonly string[];
  readonly isSelf: boolean;
  readonly actors: readonly string[];
}

function transfer({ argument, interfaceId }: ExercisedChoice, interpretation: Interpretation): ChoiceExecution {
  const generation = generationOf(interfaceId);
  const value = interpretation.value(argument, transferFactoryTypes[generation]);
  const requested = readTransfer(value, generation);
  return {
    argument: value,
    isConsuming: false,
    actingParties: requested.actors,
    inside: () => {
      checkTransfer(value, requested, interpretation);
      checkContext(value, contextKeys(requested.instrumentId, interpretation), interpretation);
      return moveTokens(requested, isPreapproved(value, requested, interpretation), interpretation);
    },
  };
}

function readTransfer(value: DamlValue, generation: Generation): Transfer {
  const transferred = fieldOf(value, "transfer");
  const side = (name: string) => (generation === "v1" ? textAt(transferred, name) : textAt(transferred, name, "owner"));
  const account = (name: string) => ["provider", "id"].map((member) => textAt(transferred, name, member)).join("|");
  const [sender, receiver] = [side("sender"), side("receiver")];
  const actors = generation === "v1" ? [sender] : textsAt(value, "actors");
  return {
    sender,
    receiver,
    isSelf: sender === receiver && account("sender") === account("receiver"),
    amount: textAt(transferred, "amount"),
    admin: textAt(transferred, "instrumentId", "admin"),
    instrumentId: textAt(transferred, "instrumentId", "id"),
    requestedAtMicros: microsAt(transferred, "requestedAt") ?? 0n,
    executeBeforeMicros: microsAt(transferred, "executeBefore") ?? 0n,
    inputs: textsAt(transferred, "inputHoldingCids"),
    metadata: fieldOf(transferred, "meta") ?? noMetadata,
    actors,
  };
}

/** Checks that only the ledger makes; a lookup accepts nearly anything (Splice 0.7, ExternalPartyAmuletRules.daml). */
function checkTransfer(value: DamlValue, requested: Transfer, interpretation: Interpretation): void {
  const { registry } = interpretation.options;
  const expectedAdmin = textAt(value, "expectedAdmin") || registry.admin;
  demand(expectedAdmin === registry.admin, `expectedAdmin ${expectedAdmin} does not match ${registry.admin}`);
  demand(
    requested.admin === registry.admin && registry.instruments.has(requested.instrumentId),
    `the instrument ${requested.instrumentId} of ${requested.admin} is not one of this registry`,
  );
  demand((unitsOf(requested.amount) ?? 0n) > 0n, "the amount must be positive");
  demand(interpretation.hasPassed(requested.requestedAtMicros), "requestedAt must be in the past");
  demand(!interpretation.hasPassed(requested.executeBeforeMicros), "executeBefore must be in the future");
  demand(requested.inputs.length > 0, "at least one input holding is needed");
  demand(new Set(requested.inputs).size === requested.inputs.length, "an input holding is listed twice");
  demand(requested.actors.includes(requested.sender), "the sender must be among the actors");
}

/** Checks that every contract named in the choice context exists; a stale one is not found. */
function checkContext(value: DamlValue, keys: readonly string[], interpretation: Interpretation): void {
  for (const key of keys) {
    const entry = contextEntry(value, key);
    demand(entry !== undefined, `Missing context entry for: ${key}`);
    interpretation.contract(entry);
  }
}

/** The contract id for a key of the choice context. */
function contextEntry(value: DamlValue, key: string): string | undefined {
  const values = fieldOf(value, "extraArgs", "context", "values");
  const entry = values?.type === "text-map" ? values.entries.find(([name]) => name === key)?.[1] : undefined;
  return entry?.type === "variant" ? textAt(entry.value) : undefined;
}

function contextKeys(instrumentId: string, { options: { registry } }: Interpretation): readonly string[] {
  const { context } = ofInstrument(registry, instrumentId).factory;
  return context
    .filter(({ contracts }) => contracts.some((name) => registry.contracts.has(name)))
    .map(({ key }) => key);
}

/** Whether the receiver pre-approved the transfer: the context names the pre-approval, or the registry knows one that it does not disclose. */
function isPreapproved(value: DamlValue, requested: Transfer, interpretation: Interpretation): boolean {
  const entry = contextEntry(value, "transfer-preapproval");
  const known = interpretation.options.registry.preapprovals.get(requested.receiver);
  if (requested.sender === requested.receiver) return false;
  if (entry === undefined) return known !== undefined && known.contract === undefined;
  return readPreapproval(interpretation.contract(entry)) === requested.receiver;
}

/** Consumes the inputs. The sender gets the change; the receiver gets the amount, or an offer locks it for the receiver. */
function moveTokens(requested: Transfer, isDirect: boolean, interpretation: Interpretation): DamlValue {
  const { builder, options } = interpretation;
  const { registry } = options;
  let total = 0n;
  for (const input of requested.inputs) total += consumedHolding(input, requested, interpretation);
  const amount = unitsOf(requested.amount) ?? 0n;
  demand(total >= amount, `the input holdings have ${amountOf(total)}, which does not cover ${requested.amount}`);
  const unlocked = (owner: string, units: bigint) =>
    builder.create(holdingContract(registry, { ...requested, owner, amount: amountOf(units), lock: undefined }));
  const change = total > amount ? [unlocked(requested.sender, total - amount)] : [];
  const isAgreed = requested.sender !== requested.receiver && requested.actors.includes(requested.receiver);
  if (requested.isSelf || isDirect || isAgreed)
    return result(completed([unlocked(requested.receiver, amount)]), change);
  const lock = {
    holders: [registry.admin],
    expiresAtMicros: requested.executeBeforeMicros,
    context: `transfer to ${requested.receiver}`,
  };
  const locked = builder.create(
    holdingContract(registry, { ...requested, owner: requested.sender, amount: amountOf(amount), lock }),
  );
  const instruction = builder.create(instructionContract(registry, { ...requested, amount: amountOf(amount), locked }));
  return result(outcome("Pending", record(["transferInstructionCid", contractId(instruction)])), change);
}

/** Archives an unlocked holding of the sender and gives its units. */
export function consumedHolding(
  id: string,
  requested: Pick<Transfer, "sender" | "instrumentId">,
  interpretation: Interpretation,
): bigint {
  const { options } = interpretation;
  const contract = interpretation.contract(id);
  const holding = readHolding(contract, options.registry);
  demand(holding !== undefined, `${id} is not a holding`);
  demand(holding.owner === requested.sender, `the holding ${id} does not belong to the sender`);
  demand(
    holding.instrumentId === requested.instrumentId,
    `the holding ${id} has the instrument ${holding.instrumentId}`,
  );
  demand(
    !(holding.lock !== undefined && !interpretation.hasPassed(holding.lock.expiresAtMicros)),
    `the holding ${id} is locked`,
  );
  archive(contract, interpretation);
  return unitsOf(holding.amount) ?? 0n;
}

/** Exercises Archive, which every template has. */
export function archive(contract: KnownContract, { builder }: Interpretation): void {
  const exercise = {
    contract,
    interfaceId: undefined,
    choice: "Archive",
    argument: record(),
    actingParties: contract.signatories,
    isConsuming: true,
  };
  builder.exercise(exercise, () => ({ type: "unit" }));
}

interface Ending {
  readonly choice: string;
  /** `by` is the acting party; `to` receives the tokens. */
  readonly by: "sender" | "receiver";
  readonly to: "sender" | "receiver";
}

const endings: readonly Ending[] = [
  { choice: "TransferInstruction_Accept", by: "receiver", to: "receiver" },
  { choice: "TransferInstruction_Reject", by: "receiver", to: "sender" },
  { choice: "TransferInstruction_Withdraw", by: "sender", to: "sender" },
];

function endTransfer(
  ending: Ending,
  pending: PendingTransfer,
  { argument, interfaceId }: ExercisedChoice,
  interpretation: Interpretation,
): ChoiceExecution {
  const { builder, options } = interpretation;
  const value = interpretation.value(argument, transferInstructionTypes[generationOf(interfaceId)]);
  const isAccepted = ending.to === "receiver";
  return {
    argument: value,
    isConsuming: true,
    actingParties: [pending[ending.by]],
    inside: () => {
      const isExpired = isAccepted && interpretation.hasPassed(pending.executeBeforeMicros);
      demand(!isExpired, "executeBefore of the transfer has passed");
      if (isAccepted) checkContext(value, contextKeys(pending.instrumentId, interpretation), interpretation);
      archive(interpretation.contract(pending.locked), interpretation);
      const holding = { ...pending, owner: pending[ending.to], lock: undefined };
      const created = builder.create(holdingContract(options.registry, holding));
      return isAccepted ? result(completed([created]), []) : result(outcome("Failed", record()), [created]);
    },
  };
}

function completed(holdings: readonly string[]): DamlValue {
  return outcome("Completed", record(["receiverHoldingCids", contractIds(holdings)]));
}

function outcome(name: string, value: DamlValue): DamlValue {
  return variant(`TransferInstructionResult_${name}`, value);
}

function result(output: DamlValue, change: readonly string[]): DamlValue {
  return record(["output", output], ["senderChangeCids", contractIds(change)], ["meta", noMetadata]);
}

/** The failure for an unknown choice. */
export function unknownChoice(choice: string, templateId: string, declared: readonly string[]): InterpretationFailure {
  return new InterpretationFailure(
    "FAILED_TO_PREPARE_TRANSACTION",
    `Understudy does not support the choice ${choice} of ${templateId}. It supports the choices of the token standard, those of Amulet and its wallets that docs/fidelity.md names, Archive, and the choices that the ledger fixture declares under templates.`,
    [],
    "node",
    declared.length === 0 ? undefined : `For this template it declares ${declared.slice(0, 10).join(", ")}.`,
  );
}

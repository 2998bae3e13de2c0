import type { DamlValue } from "../../foundation/protobuf/daml-value.ts";
import { amountOf, unitsOf } from "../registry/amount.ts";
import { contractId, contractIds, fieldOf, microsAt, noMetadata, record, textAt, textsAt } from "./_fields.ts";
import { microsOfMs } from "./daml-json.ts";
import { type Argument, demand, type Interpretation, InterpretationFailure } from "./interpretation.ts";
import {
  type Holding,
  holdingContract,
  instructionContract,
  type PendingTransfer,
  readHolding,
  readInstruction,
  readPreapproval,
} from "./token-contracts.ts";
import { type Generation, tapType, transferFactoryTypes, transferInstructionTypes } from "./token-types.ts";
import type { KnownContract } from "./transaction-builder.ts";

// The choices of the token standard, as a registry in the manner of Amulet carries them out (facts, registry 6).

/** A choice with its contract, ready to be carried out: its argument read, and what happens within it. */
export interface Play {
  readonly argument: DamlValue;
  readonly isConsuming: boolean;
  readonly actingParties: readonly string[];
  inside(): DamlValue;
}

interface Asked {
  readonly contract: KnownContract;
  readonly interfaceId: string | undefined;
  readonly argument: Argument;
}

/** The play of a choice; undefined where the token standard has no such choice on such a contract. */
export function tokenChoice(choice: string, asked: Asked, interpretation: Interpretation): Play | undefined {
  const { registry } = interpretation.setting;
  const isFactory = asked.contract.contractId === registry.contracts.get(registry.factory.contract)?.contractId;
  if (choice === "TransferFactory_Transfer" && isFactory) return transfer(asked, interpretation);
  const pending = readInstruction(asked.contract);
  const ending = endings.find((candidate) => candidate.choice === choice);
  if (pending !== undefined && ending !== undefined) return endTransfer(ending, pending, asked, interpretation);
  const isRules = asked.contract.templateId.endsWith(":AmuletRules");
  return choice === "AmuletRules_DevNet_Tap" && isRules ? tap(asked, interpretation) : undefined;
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

function transfer({ argument, interfaceId }: Asked, interpretation: Interpretation): Play {
  const generation = generationOf(interfaceId);
  const value = interpretation.value(argument, transferFactoryTypes[generation]);
  const asked = readTransfer(value, generation);
  return {
    argument: value,
    isConsuming: false,
    actingParties: asked.actors,
    inside: () => {
      checkTransfer(value, asked, interpretation);
      checkContext(value, contextKeys(interpretation), interpretation);
      return moved(asked, isPreapproved(value, asked, interpretation), interpretation);
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

/** What is checked on the ledger only; a lookup takes nearly anything (facts, registry 6). */
function checkTransfer(value: DamlValue, asked: Transfer, { setting }: Interpretation): void {
  const nowMicros = microsOfMs(setting.nowMs);
  const { registry } = setting;
  const expectedAdmin = textAt(value, "expectedAdmin") || registry.admin;
  demand(expectedAdmin === registry.admin, `expectedAdmin ${expectedAdmin} does not match ${registry.admin}`);
  demand(
    asked.admin === registry.admin && registry.instruments.has(asked.instrumentId),
    `the instrument ${asked.instrumentId} of ${asked.admin} is not one of this registry`,
  );
  demand((unitsOf(asked.amount) ?? 0n) > 0n, "the amount must be positive");
  demand(asked.requestedAtMicros <= nowMicros, "requestedAt must be in the past");
  demand(asked.executeBeforeMicros > nowMicros, "executeBefore must be in the future");
  demand(asked.inputs.length > 0, "at least one input holding is needed");
  demand(new Set(asked.inputs).size === asked.inputs.length, "an input holding stands there twice");
  demand(asked.actors.includes(asked.sender), "the sender must be among the actors");
}

/** Every contract that the registry's context names has to be there; a stale one is not found. */
function checkContext(value: DamlValue, keys: readonly string[], interpretation: Interpretation): void {
  for (const key of keys) {
    const entry = contextEntry(value, key);
    demand(entry !== undefined, `Missing context entry for: ${key}`);
    interpretation.contract(entry);
  }
}

/** The contract id that the choice context has under a key. */
function contextEntry(value: DamlValue, key: string): string | undefined {
  const values = fieldOf(value, "extraArgs", "context", "values");
  const entry = values?.type === "text-map" ? values.entries.find(([name]) => name === key)?.[1] : undefined;
  return entry?.type === "variant" ? textAt(entry.value) : undefined;
}

function contextKeys({ setting: { registry } }: Interpretation): readonly string[] {
  const { context } = registry.factory;
  return context
    .filter(({ contracts }) => contracts.some((name) => registry.contracts.has(name)))
    .map(({ key }) => key);
}

/** Whether the receiver agreed beforehand: the context has the pre-approval, or the registry discloses none. */
function isPreapproved(value: DamlValue, asked: Transfer, interpretation: Interpretation): boolean {
  const entry = contextEntry(value, "transfer-preapproval");
  const known = interpretation.setting.registry.preapprovals.get(asked.receiver);
  if (asked.sender === asked.receiver) return false;
  if (entry === undefined) return known !== undefined && known.contract === undefined;
  return readPreapproval(interpretation.contract(entry)) === asked.receiver;
}

/** Inputs are consumed; the sender gets the change, the receiver the amount, or an offer locks it for the receiver. */
function moved(asked: Transfer, isDirect: boolean, interpretation: Interpretation): DamlValue {
  const { builder, setting } = interpretation;
  const { registry } = setting;
  let total = 0n;
  for (const input of asked.inputs) total += consumedHolding(input, asked, interpretation);
  const amount = unitsOf(asked.amount) ?? 0n;
  demand(total >= amount, `the input holdings have ${amountOf(total)}, which does not cover ${asked.amount}`);
  const unlocked = (owner: string, units: bigint) =>
    builder.create(holdingContract(registry, { ...asked, owner, amount: amountOf(units), lock: undefined }));
  const change = total > amount ? [unlocked(asked.sender, total - amount)] : [];
  const isAgreed = asked.sender !== asked.receiver && asked.actors.includes(asked.receiver);
  if (asked.isSelf || isDirect || isAgreed) return result(completed([unlocked(asked.receiver, amount)]), change);
  const lock = {
    holders: [registry.admin],
    expiresAtMicros: asked.executeBeforeMicros,
    context: `transfer to ${asked.receiver}`,
  };
  const locked = builder.create(
    holdingContract(registry, { ...asked, owner: asked.sender, amount: amountOf(amount), lock }),
  );
  const instruction = builder.create(instructionContract(registry, { ...asked, amount: amountOf(amount), locked }));
  return result(variant("Pending", record(["transferInstructionCid", contractId(instruction)])), change);
}

/** Consumes an unlocked holding of the sender and gives its units. */
function consumedHolding(id: string, asked: Transfer, interpretation: Interpretation): bigint {
  const { setting } = interpretation;
  const contract = interpretation.contract(id);
  const holding = readHolding(contract, setting.registry);
  demand(holding !== undefined, `${id} is no holding`);
  demand(holding.owner === asked.sender, `the holding ${id} is not of the sender`);
  demand(holding.instrumentId === asked.instrumentId, `the holding ${id} is of the instrument ${holding.instrumentId}`);
  demand(!isLocked(holding, setting.nowMs), `the holding ${id} is locked`);
  archive(contract, interpretation);
  return unitsOf(holding.amount) ?? 0n;
}

function isLocked({ lock }: Holding, nowMs: number): boolean {
  return lock !== undefined && lock.expiresAtMicros > microsOfMs(nowMs);
}

/** The choice that every template has. */
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
  /** Who must act, and who gets the tokens. */
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
  { argument, interfaceId }: Asked,
  interpretation: Interpretation,
): Play {
  const { builder, setting } = interpretation;
  const value = interpretation.value(argument, transferInstructionTypes[generationOf(interfaceId)]);
  const isAccepted = ending.to === "receiver";
  return {
    argument: value,
    isConsuming: true,
    actingParties: [pending[ending.by]],
    inside: () => {
      const isExpired = pending.executeBeforeMicros <= microsOfMs(setting.nowMs);
      demand(!isAccepted || !isExpired, "the transfer was to be executed before now");
      if (isAccepted) checkContext(value, contextKeys(interpretation), interpretation);
      archive(interpretation.contract(pending.locked), interpretation);
      const holding = { ...pending, owner: pending[ending.to], lock: undefined };
      const created = builder.create(holdingContract(setting.registry, holding));
      return isAccepted ? result(completed([created]), []) : result(variant("Failed", record()), [created]);
    },
  };
}

function tap({ argument }: Asked, interpretation: Interpretation): Play {
  const { builder, setting } = interpretation;
  const value = interpretation.value(argument, tapType);
  const [instrument] = [...setting.registry.instruments.values()];
  const receiver = textAt(value, "receiver");
  return {
    argument: value,
    isConsuming: false,
    actingParties: [receiver],
    inside: () => {
      const amount = textAt(value, "amount");
      demand((unitsOf(amount) ?? 0n) > 0n, "the amount must be positive");
      interpretation.contract(textAt(value, "openRound"));
      const holding = { owner: receiver, instrumentId: instrument?.id ?? "", amount, lock: undefined };
      return record([
        "amuletSum",
        record(["amulet", contractId(builder.create(holdingContract(setting.registry, holding)))]),
      ]);
    },
  };
}

function completed(holdings: readonly string[]): DamlValue {
  return variant("Completed", record(["receiverHoldingCids", contractIds(holdings)]));
}

function variant(name: string, value: DamlValue): DamlValue {
  return { type: "variant", constructorName: `TransferInstructionResult_${name}`, value };
}

function result(output: DamlValue, change: readonly string[]): DamlValue {
  return record(["output", output], ["senderChangeCids", contractIds(change)], ["meta", noMetadata]);
}

/** A failure that says which choices there are. */
export function unknownChoice(choice: string, templateId: string): InterpretationFailure {
  return new InterpretationFailure(
    "FAILED_TO_PREPARE_TRANSACTION",
    `Understudy does not know what the choice ${choice} of ${templateId} does. It knows the choices of the token standard, Archive, and those that the ledger fixture declares under templates.`,
  );
}

import {
  contractId,
  fieldOf,
  fieldsOf,
  microsAt,
  record,
  some,
  spliceMetadata,
  textAt,
  timestamp,
  unitsAt,
} from "./_fields.ts";
import * as types from "./_types.ts";
import { pay, paymentType, rulesOf } from "./amulet-payment.ts";
import { createdOf, createdPreapproval, createPreapproval, payPeriod } from "./amulet-rules-choices.ts";
import { type Choice, exerciseWithin } from "./choice.ts";
import { instantOfMicros } from "./daml-json.ts";
import { demand, type Interpretation, requirement } from "./interpretation.ts";
import type { KnownContract } from "./transaction-builder.ts";

// The choices of pre-approvals and of the proposals that lead to them (Splice 0.7, AmuletRules.daml and splice-wallet's TransferPreapproval.daml).

const preapproval = "Splice.AmuletRules:TransferPreapproval";

const fetchPreapproval: Choice = {
  name: "TransferPreapproval_Fetch",
  template: preapproval,
  type: types.record({ p: types.party }),
  isConsuming: false,
  controllers: ({ argument }) => [textAt(argument, "p")],
  execute: ({ contract }) => contract.argument,
};

const send: Choice = {
  name: "TransferPreapproval_Send",
  template: preapproval,
  type: paymentType({
    amount: types.numeric,
    sender: types.party,
    description: types.optional(types.text),
  }),
  isConsuming: false,
  controllers: ({ argument }) => [textAt(argument, "sender")],
  execute({ contract, argument }, interpretation) {
    checkDeadline(contract, interpretation);
    rulesOf(argument, interpretation);
    const units = unitsAt(argument, "amount") ?? 0n;
    demand(units > 0n, "the amount must be positive");
    const [payer, receiver] = [textAt(argument, "sender"), textAt(contract.argument, "receiver")];
    const round = textAt(argument, "context", "context", "openMiningRound");
    const { result } = pay({ payer, receiver, units, inputs: fieldOf(argument, "inputs"), round }, interpretation);
    const reason = textAt(argument, "description");
    const reasons = reason === "" ? [] : [["reason", reason] as const];
    const meta = spliceMetadata(["burned", "0.0"], ...reasons, ["sender", payer], ["tx-kind", "transfer"]);
    return record(["result", result], ["meta", some(meta)]);
  },
};

const renew: Choice = {
  name: "TransferPreapproval_Renew",
  template: preapproval,
  type: paymentType({ newExpiresAt: types.timestamp }),
  isConsuming: true,
  controllers: ({ contract }) => [textAt(contract.argument, "provider")],
  execute({ contract, argument }, interpretation) {
    const now = interpretation.ledgerTimeMicros;
    const expiresAt = microsAt(contract.argument, "expiresAt") ?? now;
    const newExpiresAt = microsAt(argument, "newExpiresAt") ?? 0n;
    requirement(!hasExpired(contract, interpretation), "Contract is not expired");
    requirement(newExpiresAt > expiresAt, "newExpiresAt is after expiresAt");
    const [provider, receiver] = [textAt(contract.argument, "provider"), textAt(contract.argument, "receiver")];
    const rules = rulesOf(argument, interpretation);
    const period = { payer: provider, micros: newExpiresAt - expiresAt, usage: "renew TransferPreapproval" };
    const paid = payPeriod(period, { contract: rules, argument }, interpretation);
    const from = microsAt(contract.argument, "validFrom") ?? now;
    const renewed = { receiver, provider, from, renewedAt: now, expiresAt: newExpiresAt };
    return record(
      ["transferPreapprovalCid", contractId(createdPreapproval(renewed, interpretation))],
      ...fieldsOf(contract.argument, "receiver", "provider"),
      ...paid,
    );
  },
};

const cancel: Choice = {
  name: "TransferPreapproval_Cancel",
  template: preapproval,
  type: types.record({ p: types.party }),
  isConsuming: true,
  controllers: ({ argument }) => [textAt(argument, "p")],
  execute({ contract, argument }, interpretation) {
    const p = textAt(argument, "p");
    const isParty = [textAt(contract.argument, "receiver"), textAt(contract.argument, "provider")].includes(p);
    requirement(isParty, `Controller '${p}' is either receiver or provider`);
    checkDeadline(contract, interpretation);
    return record();
  },
};

const expire: Choice = {
  name: "TransferPreapproval_Expire",
  template: preapproval,
  type: types.record({}),
  isConsuming: true,
  controllers: ({ contract }) => [textAt(contract.argument, "dso")],
  execute({ contract }, interpretation) {
    requirement(hasExpired(contract, interpretation), "Contract has expired");
    return record();
  },
};

const acceptProposal: Choice = {
  name: "TransferPreapprovalProposal_Accept",
  template: "Splice.Wallet.TransferPreapproval:TransferPreapprovalProposal",
  type: paymentType({ expiresAt: types.timestamp }),
  isConsuming: true,
  controllers: ({ contract }) => [textAt(contract.argument, "provider")],
  execute({ contract, argument }, interpretation) {
    const rules = rulesOf(argument, interpretation);
    const creation = record(
      ...fieldsOf(argument, "context", "inputs"),
      ...fieldsOf(contract.argument, "receiver", "provider"),
      ...fieldsOf(argument, "expiresAt"),
      ...fieldsOf(contract.argument, "expectedDso"),
      ["optCreatedAt", some(timestamp(interpretation.ledgerTimeMicros))],
    );
    const result = exerciseWithin(createPreapproval, { contract: rules, argument: creation }, interpretation);
    return record(...fieldsOf(result, "transferPreapprovalCid", "transferResult", "amuletPaid"));
  },
};

const acceptSetup: Choice = {
  name: "ExternalPartySetupProposal_Accept",
  template: "Splice.AmuletRules:ExternalPartySetupProposal",
  type: types.record({}),
  isConsuming: true,
  controllers: ({ contract }) => [textAt(contract.argument, "user")],
  execute({ contract }, interpretation) {
    const [provider, receiver] = [textAt(contract.argument, "validator"), textAt(contract.argument, "user")];
    const parties = fieldsOf(contract.argument, "validator", "user");
    const right = createdOf("Splice.Amulet:ValidatorRight", parties, interpretation);
    const from = microsAt(contract.argument, "createdAt") ?? 0n;
    const expiresAt = microsAt(contract.argument, "preapprovalExpiresAt") ?? 0n;
    const created = createdPreapproval({ receiver, provider, from, renewedAt: from, expiresAt }, interpretation);
    return record(["validatorRightCid", contractId(right)], ["transferPreapprovalCid", contractId(created)]);
  },
};

export const preapprovalChoices: readonly Choice[] = [
  fetchPreapproval,
  send,
  renew,
  cancel,
  expire,
  acceptProposal,
  acceptSetup,
];

/** Whether a pre-approval has expired; one of a fixture without `expiresAt` never does. */
function hasExpired({ argument }: KnownContract, interpretation: Interpretation): boolean {
  const expiresAt = microsAt(argument, "expiresAt");
  return expiresAt !== undefined && interpretation.hasPassed(expiresAt);
}

/** The text is that of assertWithinDeadline. */
function checkDeadline(contract: KnownContract, interpretation: Interpretation): void {
  const expiresAt = microsAt(contract.argument, "expiresAt") ?? 0n;
  demand(
    !hasExpired(contract, interpretation),
    `Ledger time is after deadline 'TransferPreapproval.expiresAt' at ${instantOfMicros(expiresAt)}`,
  );
}

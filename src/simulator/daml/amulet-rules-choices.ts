import type { DamlField, DamlValue } from "../../foundation/protobuf/daml-value.ts";
import { amountOf } from "../registry/amount.ts";
import {
  contractId,
  fieldOf,
  fieldsOf,
  int64,
  int64At,
  microsAt,
  numeric,
  party,
  record,
  some,
  spliceMetadata,
  textAt,
  timestamp,
  unitsAt,
} from "./_fields.ts";
import * as types from "./_types.ts";
import { preapprovalFee, trafficCost } from "./amulet-fees.ts";
import { burn, paymentType, pricedRoundOf, roundOf, transferContext, transferInputs } from "./amulet-payment.ts";
import type { Choice } from "./choice.ts";
import { demand, type Interpretation, requirement } from "./interpretation.ts";
import { spliceContract } from "./splice-templates.ts";
import { holdingContract, packageOf } from "./token-contracts.ts";
import type { KnownContract } from "./transaction-builder.ts";

// The choices of AmuletRules that clients exercise (Splice 0.7, AmuletRules.daml). They are nonconsuming.

const template = "Splice.AmuletRules:AmuletRules";

const tap: Choice = {
  name: "AmuletRules_DevNet_Tap",
  template,
  type: types.record({ receiver: types.party, amount: types.numeric, openRound: types.contractId }),
  isConsuming: false,
  controllers: ({ argument }) => [textAt(argument, "receiver")],
  execute({ contract, argument }, interpretation) {
    requireDevNet(contract);
    const minted = mint(contract, argument, interpretation);
    const meta = spliceMetadata(["reason", "tapped faucet"], ["tx-kind", "mint"]);
    return record(["amuletSum", minted], ["meta", some(meta)]);
  },
};

/** Exercises AmuletRules_Mint, which needs the authority of the rules, and gives the AmuletCreateSummary. */
function mint(contract: KnownContract, argument: DamlValue, interpretation: Interpretation): DamlValue {
  const { builder, options } = interpretation;
  const [owner, amount] = [textAt(argument, "receiver"), textAt(argument, "amount")];
  const [instrument] = options.registry.instruments.values();
  demand((unitsAt(argument, "amount") ?? 0n) > 0n, "the amount must be positive");
  const { number, price } = roundOf(textAt(argument, "openRound"), interpretation);
  const actingParties = [options.registry.admin, owner];
  const exercise = { contract, interfaceId: undefined, choice: "AmuletRules_Mint", argument, actingParties };
  const result = builder.exercise({ ...exercise, isConsuming: false }, () => {
    const holding = { owner, instrumentId: instrument?.id ?? "Amulet", amount, lock: undefined };
    const amulet = contractId(builder.create(holdingContract(options.registry, holding)));
    const round = number === undefined ? some(number) : record(["number", int64(number)]);
    const amuletPrice = price === undefined ? some(price) : numeric(amountOf(price));
    return record(["amuletSum", record(["amulet", amulet], ["amuletPrice", amuletPrice], ["round", round])]);
  });
  return fieldOf(result, "amuletSum") ?? result;
}

const featureApp: Choice = {
  name: "AmuletRules_DevNet_FeatureApp",
  template,
  type: types.record({ provider: types.party }),
  isConsuming: false,
  controllers: ({ argument }) => [textAt(argument, "provider")],
  execute({ contract, argument }, interpretation) {
    requireDevNet(contract);
    const created = createdOf("Splice.Amulet:FeaturedAppRight", fieldsOf(argument, "provider"), interpretation);
    return record(["featuredAppRightCid", contractId(created)]);
  },
};

const buyMemberTraffic: Choice = {
  name: "AmuletRules_BuyMemberTraffic",
  template,
  type: types.record({
    inputs: transferInputs,
    context: transferContext,
    provider: types.party,
    memberId: types.text,
    synchronizerId: types.text,
    migrationId: types.int64,
    trafficAmount: types.int64,
    expectedDso: types.optional(types.party),
  }),
  isConsuming: false,
  controllers: ({ argument }) => [textAt(argument, "provider")],
  execute({ contract, argument }, interpretation) {
    checkDso(argument, interpretation);
    const cost = trafficCost(contract, argument, interpretation);
    const [payer, round] = [textAt(argument, "provider"), textAt(argument, "context", "openMiningRound")];
    const payment = { payer, units: cost.amulet, inputs: fieldOf(argument, "inputs"), round };
    const { result, meta } = burn(payment, "traffic purchase", interpretation);
    const traffic: readonly DamlField[] = [
      ...fieldsOf(argument, "memberId", "synchronizerId", "migrationId"),
      ["totalPurchased", int64(int64At(argument, "trafficAmount") ?? 0n)],
      ["numPurchases", int64(1n)],
      ["amuletSpent", numeric(amountOf(cost.amulet))],
      ["usdSpent", numeric(amountOf(cost.usd))],
    ];
    const purchased = createdOf("Splice.DecentralizedSynchronizer:MemberTraffic", traffic, interpretation);
    return record(
      ...fieldsOf(result, "round", "summary"),
      ["amuletPaid", numeric(amountOf(cost.amulet))],
      ["purchasedTraffic", contractId(purchased)],
      ...fieldsOf(result, "senderChangeAmulet"),
      ["meta", meta],
    );
  },
};

/** Creates a pre-approval that the provider pays for. */
export const createPreapproval: Choice = {
  name: "AmuletRules_CreateTransferPreapproval",
  template,
  type: paymentType({
    receiver: types.party,
    provider: types.party,
    expiresAt: types.timestamp,
    expectedDso: types.optional(types.party),
    optCreatedAt: types.optional(types.timestamp),
  }),
  isConsuming: false,
  controllers: ({ argument }) => [...new Set([textAt(argument, "provider"), textAt(argument, "receiver")])],
  execute({ contract, argument }, interpretation) {
    checkDso(argument, interpretation);
    const now = interpretation.ledgerTimeMicros;
    const expiresAt = microsAt(argument, "expiresAt") ?? 0n;
    requirement(expiresAt > now, "expiresAt is not in the past");
    const [payer, receiver] = [textAt(argument, "provider"), textAt(argument, "receiver")];
    const paid = payPeriod(
      { payer, micros: expiresAt - now, usage: "create TransferPreapproval" },
      { contract, argument },
      interpretation,
    );
    const from = microsAt(argument, "optCreatedAt") ?? now;
    const created = createdPreapproval({ receiver, provider: payer, from, renewedAt: from, expiresAt }, interpretation);
    return record(["transferPreapprovalCid", contractId(created)], ...paid);
  },
};

const createSetupProposal: Choice = {
  name: "AmuletRules_CreateExternalPartySetupProposal",
  template,
  type: paymentType({
    user: types.party,
    validator: types.party,
    preapprovalExpiresAt: types.timestamp,
    expectedDso: types.optional(types.party),
  }),
  isConsuming: false,
  controllers: ({ argument }) => [textAt(argument, "validator")],
  execute({ contract, argument }, interpretation) {
    checkDso(argument, interpretation);
    const now = interpretation.ledgerTimeMicros;
    const expiresAt = microsAt(argument, "preapprovalExpiresAt") ?? 0n;
    requirement(expiresAt > now, "preapprovalExpiresAt is not in the past");
    const period = {
      payer: textAt(argument, "validator"),
      micros: expiresAt - now,
      usage: "create ExternalPartySetupProposal",
    };
    const paid = payPeriod(period, { contract, argument }, interpretation);
    const parties = fieldsOf(argument, "user", "validator");
    const times: readonly DamlField[] = [["createdAt", timestamp(now)], ...fieldsOf(argument, "preapprovalExpiresAt")];
    const created = createdOf("Splice.AmuletRules:ExternalPartySetupProposal", [...parties, ...times], interpretation);
    return record(["proposalCid", contractId(created)], ...parties, ...paid);
  },
};

export const amuletRulesChoices: readonly Choice[] = [
  tap,
  featureApp,
  buyMemberTraffic,
  createPreapproval,
  createSetupProposal,
];

/** Burns the fee for a period of pre-approval; `argument` has the payment context and the inputs. Gives the fields of a result that show it. */
export function payPeriod(
  { payer, micros, usage }: { readonly payer: string; readonly micros: bigint; readonly usage: string },
  { contract, argument }: Parameters<Choice["execute"]>[0],
  interpretation: Interpretation,
): readonly DamlField[] {
  const round = textAt(argument, "context", "context", "openMiningRound");
  const units = preapprovalFee(contract, { micros, price: pricedRoundOf(round, interpretation).price });
  const { result, meta } = burn({ payer, units, inputs: fieldOf(argument, "inputs"), round }, usage, interpretation);
  return [
    ["transferResult", result],
    ["amuletPaid", numeric(amountOf(units))],
    ["meta", meta],
  ];
}

interface Preapproval {
  readonly receiver: string;
  readonly provider: string;
  /** Microseconds since the epoch, like the other times. */
  readonly from: bigint;
  readonly renewedAt: bigint;
  readonly expiresAt: bigint;
}

/** Creates a pre-approval and gives its id. */
export function createdPreapproval(
  { receiver, provider, from, renewedAt, expiresAt }: Preapproval,
  interpretation: Interpretation,
): string {
  const fields: readonly DamlField[] = [
    ["receiver", party(receiver)],
    ["provider", party(provider)],
    ["validFrom", timestamp(from)],
    ["lastRenewedAt", timestamp(renewedAt)],
    ["expiresAt", timestamp(expiresAt)],
  ];
  return createdOf("Splice.AmuletRules:TransferPreapproval", fields, interpretation);
}

/** Creates a contract of splice-amulet, with the DSO in front of these fields, and gives its id. */
export function createdOf(
  template: string,
  fields: readonly DamlField[],
  { builder, options: { registry } }: Interpretation,
): string {
  return builder.create(
    spliceContract(template, record(["dso", party(registry.admin)], ...fields), packageOf(registry)),
  );
}

function requireDevNet({ argument }: KnownContract): void {
  const flag = fieldOf(argument, "isDevNet");
  requirement(flag?.type === "bool" ? flag.value : textAt(flag) !== "false", "isDevNet flag is true");
}

function checkDso(argument: DamlValue, { options: { registry } }: Interpretation): void {
  const expected = textAt(argument, "expectedDso") || registry.admin;
  demand(expected === registry.admin, `expectedDso ${expected} does not match ${registry.admin}`);
}

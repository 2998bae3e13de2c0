import type { DamlValue } from "../../foundation/protobuf/daml-value.ts";
import { amountOf, shownAmount, unit } from "../registry/amount.ts";
import {
  contractId,
  int64,
  numeric,
  party,
  record,
  some,
  spliceMetadata,
  textAt,
  unitsAt,
  variant,
} from "./_fields.ts";
import * as types from "./_types.ts";
import type { DamlType } from "./daml-type.ts";
import { type Interpretation, InterpretationFailure } from "./interpretation.ts";
import { isOfTemplate, spliceContract } from "./splice-templates.ts";
import { wronglyTyped } from "./template-names.ts";
import { archive, consumedHolding } from "./token-choices.ts";
import { holdingContract, packageOf } from "./token-contracts.ts";
import type { KnownContract } from "./transaction-builder.ts";

// Payments in Amulet (Splice 0.7, AmuletRules.daml), without fees for transfers and holdings.

const any: DamlType = { type: "any" };

/** The maps are lists of pairs in JSON; the stub does not read them. */
export const transferContext: DamlType = types.record({
  openMiningRound: types.contractId,
  issuingMiningRounds: any,
  validatorRights: any,
  featuredAppRight: types.optional(types.contractId),
});

const otherInputs = ["AppRewardCoupon", "ValidatorRewardCoupon", "SvRewardCoupon", "ValidatorLivenessActivityRecord"];

export const transferInputs: DamlType = types.list({
  type: "variant",
  constructors: () => ({
    InputAmulet: types.contractId,
    ...Object.fromEntries(otherInputs.map((name) => [`Input${name}`, types.contractId])),
  }),
});

interface Payment {
  readonly payer: string;
  readonly receiver: string;
  readonly units: bigint;
  /** A list of transfer inputs. */
  readonly inputs: DamlValue | undefined;
  /** The contract id of the open round. */
  readonly round: string;
}

/** The type of the argument of a choice with a payment: its context and inputs, then further fields. */
export function paymentType(more: Readonly<Record<string, DamlType>>): DamlType {
  const context = types.record({ amuletRules: types.contractId, context: transferContext });
  return types.record({ context, inputs: transferInputs, ...more });
}

/** A payment that was made; `result` is a TransferResult. */
interface Paid {
  readonly created: string;
  readonly result: DamlValue;
}

/** Archives the inputs; the receiver gets the amount and the payer the change. */
export function pay(payment: Payment, interpretation: Interpretation): Paid {
  const { payer, receiver, units } = payment;
  const { builder, options } = interpretation;
  const { number, price } = pricedRoundOf(payment.round, interpretation);
  const [instrument] = options.registry.instruments.values();
  const instrumentId = instrument?.id ?? "Amulet";
  let total = 0n;
  for (const input of inputsOf(payment.inputs))
    total += consumedHolding(input, { sender: payer, instrumentId }, interpretation);
  if (total < units) throw invalidTransfer(`ITR_InsufficientFunds {missingAmount = ${shownAmount(units - total)}}`);
  const holding = (owner: string, amount: bigint) =>
    builder.create(
      holdingContract(options.registry, { owner, instrumentId, amount: amountOf(amount), lock: undefined }),
    );
  const created = holding(receiver, units);
  const change = total > units ? contractId(holding(payer, total - units)) : undefined;
  const result = record(
    ["round", record(["number", int64(number)])],
    ["summary", summaryOf(payment, total, price)],
    ["createdAmulets", { type: "list", elements: [variant("TransferResultAmulet", contractId(created))] }],
    ["senderChangeAmulet", some(change)],
    ["meta", some(undefined)],
  );
  return { created, result };
}

/** Burns an amount of the payer, who gets a coupon for it. Gives the TransferResult and the metadata. */
export function burn(
  payment: Omit<Payment, "receiver">,
  usage: string,
  interpretation: Interpretation,
): { readonly result: DamlValue; readonly meta: DamlValue } {
  const { payer, units, round } = payment;
  const { builder, options } = interpretation;
  const { created, result } = pay({ ...payment, receiver: payer }, interpretation);
  archive(interpretation.contract(created), interpretation);
  const coupon = record(
    ["dso", party(options.registry.admin)],
    ["user", party(payer)],
    ["amount", numeric(amountOf(units))],
    ["round", record(["number", int64(pricedRoundOf(round, interpretation).number)])],
  );
  builder.create(spliceContract("Splice.Amulet:ValidatorRewardCoupon", coupon, packageOf(options.registry)));
  const meta = spliceMetadata(["burned", shownAmount(units)], ["reason", usage], ["tx-kind", "burn"]);
  return { result, meta: some(meta) };
}

/** The contract ids of the inputs, which are Amulets. */
function inputsOf(inputs: DamlValue | undefined): readonly string[] {
  const elements = inputs?.type === "list" ? inputs.elements : [];
  return elements.map((element) => {
    if (element.type === "variant" && element.constructorName === "InputAmulet") return textAt(element.value);
    throw new InterpretationFailure(
      "FAILED_TO_PREPARE_TRANSACTION",
      "Understudy supports inputs of the kind InputAmulet only",
    );
  });
}

/** Number and price in USD of an open round, as far as its payload has them. */
export function roundOf(
  id: string,
  interpretation: Interpretation,
): { readonly number: bigint | undefined; readonly price: bigint | undefined } {
  const { argument } = contractOf("Splice.Round:OpenMiningRound", id, interpretation);
  const number = unitsAt(argument, "round", "number") ?? unitsAt(argument, "round");
  return { number: number === undefined ? undefined : number / unit, price: unitsAt(argument, "amuletPrice") };
}

/** The same for a payment, which needs both. */
export function pricedRoundOf(
  id: string,
  interpretation: Interpretation,
): { readonly number: bigint; readonly price: bigint } {
  const { number, price } = roundOf(id, interpretation);
  return {
    number: configured(number, "round.number of OpenMiningRound"),
    price: configured(price === 0n ? undefined : price, "positive amuletPrice of OpenMiningRound"),
  };
}

/** A value that a payment is computed from. Throws InterpretationFailure if the fixture does not have it. */
export function configured(value: bigint | undefined, what: string): bigint {
  if (value !== undefined) return value;
  throw new InterpretationFailure(
    "FAILED_TO_PREPARE_TRANSACTION",
    `Understudy cannot compute the payment: the registry fixture has no ${what}. Add it to the payload of the contract`,
  );
}

/** The AmuletRules that a payment context names. */
export function rulesOf(argument: DamlValue, interpretation: Interpretation): KnownContract {
  return contractOf("Splice.AmuletRules:AmuletRules", textAt(argument, "context", "amuletRules"), interpretation);
}

/** A contract of a template of the registry's package. Throws InterpretationFailure for one of another template. */
function contractOf(template: string, id: string, interpretation: Interpretation): KnownContract {
  const contract = interpretation.contract(id);
  const { packageId, packageName } = packageOf(interpretation.options.registry);
  if (contract.packageName === packageName && isOfTemplate(contract, template)) return contract;
  throw wronglyTyped(contract, `${packageId}:${template}`);
}

/** A TransferSummary without rewards and fees. */
function summaryOf({ payer, receiver, units }: Payment, total: bigint, price: bigint): DamlValue {
  const amount = (value: bigint) => numeric(value < 0n ? `-${amountOf(-value)}` : amountOf(value));
  const changes = payer === receiver ? [[payer, 0n] as const] : [[payer, -units] as const, [receiver, units] as const];
  const balances = changes.map(([owner, change]): readonly [DamlValue, DamlValue] => [
    party(owner),
    record(["changeToInitialAmountAsOfRoundZero", amount(change)], ["changeToHoldingFeesRate", amount(0n)]),
  ]);
  return record(
    ["inputAppRewardAmount", amount(0n)],
    ["inputValidatorRewardAmount", amount(0n)],
    ["inputSvRewardAmount", amount(0n)],
    ["inputAmuletAmount", amount(total)],
    ["balanceChanges", { type: "gen-map", entries: balances }],
    ["holdingFees", amount(0n)],
    ["outputFees", { type: "list", elements: [amount(0n)] }],
    ["senderChangeFee", amount(0n)],
    ["senderChangeAmount", amount(total - units)],
    ["amuletPrice", amount(price)],
    ["inputValidatorFaucetAmount", some(amount(0n))],
  );
}

/** The failure of an uncaught InvalidTransfer (Splice 0.7, AmuletRules.daml). */
export function invalidTransfer(reason: string): InterpretationFailure {
  return new InterpretationFailure("UNHANDLED_EXCEPTION", `Interpretation error: ${reason}`);
}

import type { DamlValue } from "../../foundation/protobuf/daml-value.ts";
import { product, quotient, unit } from "../registry/amount.ts";
import { fieldOf, int64At, textAt, unitsAt } from "./_fields.ts";
import { configured, invalidTransfer, pricedRoundOf } from "./amulet-payment.ts";
import type { Interpretation } from "./interpretation.ts";
import type { KnownContract } from "./transaction-builder.ts";

// Fees of the network (Splice 0.7, AmuletRules.daml and AmuletConfig.daml), from the payload of AmuletRules. Prices are USD in units.

/** The price of a day of pre-approval, if AmuletRules has none: about a dollar a year (Splice 0.6, SpliceUtil.scala). */
const preapprovalFeeDefault = 27_400_000n;

const megabyte = 1_000_000n;
const dayMicros = 86_400_000_000n;

/** The cost of traffic, in units. The synchronizer must be one of the ledger's. */
export function trafficCost(
  rules: KnownContract,
  argument: DamlValue,
  interpretation: Interpretation,
): { readonly usd: bigint; readonly amulet: bigint } {
  const fees = fieldOf(rules.argument, "configSchedule", "initialValue", "decentralizedSynchronizer", "fees");
  const synchronizerId = textAt(argument, "synchronizerId");
  const amount = int64At(argument, "trafficAmount") ?? 0n;
  if (!interpretation.options.ledger.synchronizers.has(synchronizerId))
    throw invalidTransfer(`ITR_UnknownSynchronizer {synchronizerId = ${JSON.stringify(synchronizerId)}}`);
  const minimum = configured(unitsAt(fees, "minTopupAmount"), "minTopupAmount of AmuletRules") / unit;
  if (amount < minimum)
    throw invalidTransfer(
      `ITR_InsufficientTopupAmount {requestedTopupAmount = ${amount}, minTopupAmount = ${minimum}}`,
    );
  const price = configured(unitsAt(fees, "extraTrafficPrice"), "extraTrafficPrice of AmuletRules");
  const usd = product(quotient(amount, megabyte), price);
  const round = pricedRoundOf(textAt(argument, "context", "openMiningRound"), interpretation);
  return { usd, amulet: quotient(usd, round.price) };
}

/** The fee of a pre-approval in Amulet, in units: a price for each day. */
export function preapprovalFee(
  rules: KnownContract,
  { micros, price }: { readonly micros: bigint; readonly price: bigint },
): bigint {
  const perDay = unitsAt(rules.argument, "configSchedule", "initialValue", "transferPreapprovalFee");
  const usd = product(quotient(micros, dayMicros), perDay ?? preapprovalFeeDefault);
  return quotient(usd, price);
}

import type { JsonObject } from "../../foundation/json/json.ts";
import { holdingsOf } from "../daml/token-contracts.ts";
import type { RegistryContract } from "../registry/registry-state.ts";
import type { WorldView } from "./operation.ts";
import type { Refusal } from "./refusal.ts";
import { usableContract } from "./registry-context.ts";
import { activeContracts, noContract } from "./splice-contracts.ts";

/** Context and inputs in the argument of a choice that a party pays for, and the contracts to disclose. */
interface Payment {
  readonly type: "found";
  readonly argument: JsonObject;
  readonly rules: RegistryContract;
  readonly round: RegistryContract;
}

const inputsMax = 100;

/** How long pre-approvals last: ninety days, the default of a validator. */
export const preapprovalMicros: bigint = 90n * 86_400_000_000n;

/** A payment with the unlocked tokens of a party, in the newest round that is open (Splice 0.6, the wallet of a validator). */
export function paymentOf(party: string, world: WorldView): Payment | Refusal {
  const { ledger, registry, nowMs } = world;
  const [rules] = activeContracts("Splice.AmuletRules:AmuletRules", world);
  const [round] = activeContracts("Splice.Round:OpenMiningRound", world)
    .filter(({ name }) => usableContract(registry, name, nowMs) !== undefined)
    .toSorted((left, right) => (right.opensAtMs ?? 0) - (left.opensAtMs ?? 0));
  if (rules === undefined) return noContract("Splice.AmuletRules:AmuletRules");
  if (round === undefined) return noContract("Splice.Round:OpenMiningRound");
  const rounds = { issuingMiningRounds: [], validatorRights: [], featuredAppRight: null };
  const context = { amuletRules: rules.contractId, context: { openMiningRound: round.contractId, ...rounds } };
  const inputs = holdingsOf(ledger.contracts.values(), registry)
    .filter(({ holding }) => holding.owner === party && holding.lock === undefined)
    .slice(0, inputsMax)
    .map(({ contract }) => ({ tag: "InputAmulet", value: contract.contractId }));
  return { type: "found", argument: { context, inputs }, rules, round };
}

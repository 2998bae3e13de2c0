import type { Json } from "../../../foundation/json/json.ts";
import {
  account,
  boolean,
  type ChoiceForms,
  choiceForms,
  choiceProblem,
  decimal,
  listOf,
  type MetadataTypes,
  mapOf,
  memberOf,
  oneOf,
  optional,
  record,
  text,
  timestamp,
} from "./_choice-decoder.ts";

// The choices of the second generation that allocate and settle (Splice 0.7, AllocationInstructionV2.daml and AllocationV2.daml).

/** Maximum transfer legs, parties and allocations of one request: the defaults of the Amulet registry (Splice 0.7, TokenStandardConfig.scala). */
const sizeMax = 100;

const funding = optional(mapOf(decimal));

const allocate = choiceForms((types) => {
  const { meta, extraArgs } = types;
  const members = {
    settlement: settlementOf(types),
    admin: text,
    authorizer: account,
    transferLegSides: listOf(legSideOf(types)),
    settlementDeadline: optional(timestamp),
    nextIterationFunding: funding,
    committed: boolean,
    meta,
  };
  const allocation = record(members, ["settlementDeadline", "nextIterationFunding"]);
  const inputHoldingCids = listOf(text);
  return record({ allocation, requestedAt: timestamp, inputHoldingCids, extraArgs, actors: listOf(text) }, []);
});

const settleBatch = choiceForms((types) => {
  const { meta, extraArgs } = types;
  const leg = { transferLegId: text, sender: account, receiver: account, amount: decimal, instrumentId: text, meta };
  const finalized = record(
    { allocationCid: text, extraTransferLegSides: listOf(legSideOf(types)), nextIterationFunding: funding },
    ["nextIterationFunding"],
  );
  const members = {
    settlement: settlementOf(types),
    transferLegs: listOf(record(leg, [])),
    allocations: listOf(finalized),
    actors: listOf(text),
    extraArgs,
  };
  return record(members, []);
});

function settlementOf({ meta }: MetadataTypes) {
  return record({ executors: listOf(text), id: text, cid: optional(text), meta }, ["cid"]);
}

function legSideOf({ meta }: MetadataTypes) {
  const side = oneOf("SenderSide", "ReceiverSide");
  const members = { transferLegId: text, side, otherside: account, amount: decimal, instrumentId: text, meta };
  return record(members, []);
}

/** The text of the 400 for an invalid or too large `AllocationFactory_Allocate`; undefined for a valid one. */
export function allocateProblem(choiceArguments: Json, isEmptyContextTolerated: boolean): string | undefined {
  const problem = choiceProblem(
    "AllocationFactory_Allocate",
    formOf(allocate, isEmptyContextTolerated),
    choiceArguments,
  );
  if (problem !== undefined) return problem;
  const sides = elementsOf(memberOf(memberOf(choiceArguments, "allocation", 0), "transferLegSides", 3));
  return (
    tooMany("transfer legs", sides.length) ??
    tooMany("parties", ownersOf(sides.map((side) => memberOf(side, "otherside", 2))).size)
  );
}

/** The instrument of the first transfer leg of an `AllocationFactory_Allocate`. */
export function allocatedInstrument(choiceArguments: Json): string {
  const sides = elementsOf(memberOf(memberOf(choiceArguments, "allocation", 0), "transferLegSides", 3));
  return sides.length === 0 ? "" : String(memberOf(sides[0] ?? null, "instrumentId", 4));
}

type SettleResult =
  | { readonly type: "settle"; readonly allocationIds: readonly string[]; readonly instrumentId: string }
  | { readonly type: "refused"; readonly message: string };

/** The contract ids of the allocations that `SettlementFactory_SettleBatch` settles, or the text of the 400. */
export function readSettleBatch(choiceArguments: Json, isEmptyContextTolerated: boolean): SettleResult {
  const form = formOf(settleBatch, isEmptyContextTolerated);
  const problem = choiceProblem("SettlementFactory_SettleBatch", form, choiceArguments);
  if (problem !== undefined) return { type: "refused", message: problem };
  const legs = elementsOf(memberOf(choiceArguments, "transferLegs", 1));
  const allocations = elementsOf(memberOf(choiceArguments, "allocations", 2));
  const accounts = legs.flatMap((leg) => [memberOf(leg, "sender", 1), memberOf(leg, "receiver", 2)]);
  const message =
    tooMany("transfer legs", legs.length) ??
    tooMany("parties", ownersOf(accounts).size) ??
    tooMany("allocations", allocations.length);
  if (message !== undefined) return { type: "refused", message };
  const instrumentId = legs.length === 0 ? "" : String(memberOf(legs[0] ?? null, "instrumentId", 4));
  return {
    type: "settle",
    instrumentId,
    allocationIds: allocations.map((each) => String(memberOf(each, "allocationCid", 0))),
  };
}

function formOf(forms: ChoiceForms, isEmptyContextTolerated: boolean) {
  return forms[isEmptyContextTolerated ? "tolerant" : "exact"];
}

function elementsOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function ownersOf(accounts: readonly Json[]): ReadonlySet<Json> {
  return new Set(accounts.map((each) => memberOf(each, "owner", 0)).filter((owner) => owner !== null));
}

function tooMany(what: string, count: number): string | undefined {
  return count > sizeMax ? `Too many ${what} in the settle batch: ${count}. Maximum allowed: ${sizeMax}` : undefined;
}

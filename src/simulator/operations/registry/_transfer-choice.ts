import type { Json } from "../../../foundation/json/json.ts";
import type { Generation } from "../../daml/token-types.ts";
import {
  account,
  type Check,
  type ChoiceForms,
  choiceForms,
  choiceProblem,
  decimal,
  listOf,
  memberOf,
  record,
  text,
  timestamp,
} from "./_choice-decoder.ts";

/** An account of the v2 token standard. */
export interface Account {
  readonly owner: string | undefined;
  readonly provider: string | undefined;
  readonly id: string;
}

/** The arguments of `TransferFactory_Transfer` that a lookup uses. */
export interface TransferChoice {
  readonly sender: Account;
  readonly receiver: Account;
  readonly instrumentId: string;
}

type ChoiceResult =
  | { readonly type: "choice"; readonly choice: TransferChoice }
  | { readonly type: "refused"; readonly message: string };

/** Reads `choiceArguments` as the v1 or v2 choice, by the rules of the registry's decoder (Splice 0.7, TransferInstructionV1.daml and V2 and HttpTokenStandardTransferInstructionHandler.scala). */
export function readTransferChoice(
  choiceArguments: Json,
  generation: Generation,
  isEmptyContextTolerated: boolean,
): ChoiceResult {
  const check = choices[generation][isEmptyContextTolerated ? "tolerant" : "exact"];
  const message = choiceProblem("TransferFactory_Transfer", check, choiceArguments);
  if (message !== undefined) return { type: "refused", message };
  const transfer = memberOf(choiceArguments, "transfer", generation === "v1" ? 1 : 0);
  return {
    type: "choice",
    choice: {
      sender: accountOf(memberOf(transfer, "sender", 0)),
      receiver: accountOf(memberOf(transfer, "receiver", 1)),
      instrumentId: String(memberOf(memberOf(transfer, "instrumentId", 3), "id", 1)),
    },
  };
}

const choices: Readonly<Record<Generation, ChoiceForms>> = {
  v1: choiceForms(({ meta, extraArgs }) =>
    record({ expectedAdmin: text, transfer: transferOf(text, meta), extraArgs }, []),
  ),
  v2: choiceForms(({ meta, extraArgs }) =>
    record({ transfer: transferOf(account, meta), actors: listOf(text), extraArgs }, []),
  ),
};

function transferOf(side: Check, meta: Check): Check {
  return record(
    {
      sender: side,
      receiver: side,
      amount: decimal,
      instrumentId: record({ admin: text, id: text }, []),
      requestedAt: timestamp,
      executeBefore: timestamp,
      inputHoldingCids: listOf(text),
      meta,
    },
    [],
  );
}

/** The account of a party (v1) or of an account record (v2). */
function accountOf(value: Json): Account {
  if (typeof value === "string") return { owner: value, provider: undefined, id: "" };
  const [owner, provider, id] = [memberOf(value, "owner", 0), memberOf(value, "provider", 1), memberOf(value, "id", 2)];
  return {
    owner: typeof owner === "string" ? owner : undefined,
    provider: typeof provider === "string" ? provider : undefined,
    id: String(id ?? ""),
  };
}

import { formatJson, isJsonObject, type Json, type JsonObject } from "../../http/json.ts";
import type { JudgedExchange } from "../rule.ts";
import { listAt, memberAt } from "./_members.ts";

/** An account of a lookup; in the first generation a party alone. */
export interface LookupAccount {
  readonly owner: string;
  /** Provider and id, as a text to compare. */
  readonly rest: string;
}

export const lookupOperations: readonly string[] = ["getTransferFactory"];

/** Whether this is a lookup that was answered with a factory. */
export function isAnsweredLookup({ operation, status, responseJson }: JudgedExchange): boolean {
  return operation.operationId === "getTransferFactory" && status === 200 && isJsonObject(responseJson);
}

/** Sender and receiver; undefined where the request does not show them. */
export function accountsOf(
  request: Json | undefined,
): { readonly sender: LookupAccount; readonly receiver: LookupAccount } | undefined {
  const transfer = memberAt(request, "choiceArguments", "transfer");
  const sender = accountOf(memberAt(transfer, "sender"));
  const receiver = accountOf(memberAt(transfer, "receiver"));
  return sender === undefined || receiver === undefined ? undefined : { sender, receiver };
}

function accountOf(value: Json | undefined): LookupAccount | undefined {
  if (typeof value === "string") return { owner: value, rest: "" };
  const owner = memberAt(value, "owner");
  if (typeof owner !== "string") return undefined;
  const [provider, id] = [memberAt(value, "provider"), memberAt(value, "id")];
  return { owner, rest: formatJson([typeof provider === "string" ? provider : null, id ?? ""]) };
}

/** The disclosed contracts that are objects, with their places. */
export function disclosedContracts(
  response: Json | undefined,
): readonly { readonly contract: JsonObject; readonly pointer: string }[] {
  return listAt(response, "choiceContext", "disclosedContracts").flatMap((contract, index) =>
    isJsonObject(contract) ? [{ contract, pointer: `/choiceContext/disclosedContracts/${index}` }] : [],
  );
}

/** The contract ids that a choice context names, with their places. */
export function namedContracts(
  response: Json | undefined,
): readonly { readonly contractId: string; readonly pointer: string }[] {
  return namedIn(memberAt(response, "choiceContext", "choiceContextData"), "/choiceContext/choiceContextData");
}

function namedIn(
  value: Json | undefined,
  pointer: string,
): readonly { readonly contractId: string; readonly pointer: string }[] {
  if (Array.isArray(value)) return value.flatMap((element, index) => namedIn(element, `${pointer}/${index}`));
  if (!isJsonObject(value)) return [];
  const named = value["value"];
  if (value["tag"] === "AV_ContractId" && typeof named === "string")
    return [{ contractId: named, pointer: `${pointer}/value` }];
  return Object.entries(value).flatMap(([member, inner]) => namedIn(inner, `${pointer}/${escaped(member)}`));
}

function escaped(member: string): string {
  return member.replaceAll("~", "~0").replaceAll("/", "~1");
}

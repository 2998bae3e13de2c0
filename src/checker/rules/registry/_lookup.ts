import { formatJson, isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { escapeSegment } from "../../../foundation/spec/operation.ts";
import { placedContext } from "../context-lookups.ts";
import { memberAt } from "../members.ts";
import type { CheckedExchange } from "../rule.ts";

/** An account of a lookup. In version 1 an account is only a party. */
interface LookupAccount {
  readonly owner: string;
  /** Provider and id as comparable text. */
  readonly rest: string;
}

/** The lookup of the spec. */
export const lookupOperations: readonly string[] = ["getTransferFactory"];

/** Sender and receiver; undefined if the request does not show them, for example after redaction. */
export function accountsOf(
  request: Json | undefined,
): { readonly sender: LookupAccount; readonly receiver: LookupAccount } | undefined {
  const transfer = memberAt(request, "choiceArguments", "transfer");
  const sender = accountOf(memberAt(transfer, "sender"));
  const receiver = accountOf(memberAt(transfer, "receiver"));
  if (sender === undefined || receiver === undefined) return undefined;
  return isIdentifier("partyId", sender.owner) && isIdentifier("partyId", receiver.owner)
    ? { sender, receiver }
    : undefined;
}

function accountOf(value: Json | undefined): LookupAccount | undefined {
  if (typeof value === "string") return { owner: value, rest: "" };
  const owner = memberAt(value, "owner");
  if (typeof owner !== "string") return undefined;
  const [provider, id] = [memberAt(value, "provider"), memberAt(value, "id")];
  return { owner, rest: formatJson([typeof provider === "string" ? provider : null, id ?? ""]) };
}

/** A contract id in a choice context, and its JSON pointer. */
interface NamedContract {
  readonly contractId: string;
  readonly pointer: string;
}

/** The contract ids in a choice context, with their JSON pointers. */
export function namedContracts({ operation, responseJson }: CheckedExchange): readonly NamedContract[] {
  const placed = placedContext(operation.operationId, responseJson);
  const named: NamedContract[] = [];
  if (placed !== undefined) addNamed(named, placed.context["choiceContextData"], `${placed.pointer}/choiceContextData`);
  return named;
}

function addNamed(named: NamedContract[], value: Json | undefined, pointer: string): void {
  if (typeof value !== "object" || value === null) return;
  if (isJsonObject(value)) {
    const contractId = value["value"];
    if (value["tag"] === "AV_ContractId" && typeof contractId === "string")
      named.push({ contractId, pointer: `${pointer}/value` });
    else for (const member in value) addNamed(named, value[member], `${pointer}/${escapeSegment(member)}`);
  } else for (const [index, element] of value.entries()) addNamed(named, element, `${pointer}/${index}`);
}

import type { Json, JsonObject } from "../../../foundation/json/json.ts";
import { objectsOf, textOf } from "../../../foundation/json/members.ts";
import type { BodyMessages } from "../../../foundation/protobuf/body-messages.ts";
import { entityOf } from "../../daml/template-names.ts";
import { invalidArgument, type LedgerError, missingField, nodeError, type Refusal } from "../refusal.ts";

/** The synchronizer of each disclosed contract, by contract id; empty if the request names none. */
type DisclosedContracts = ReadonlyMap<string, string>;

/** The disclosed contracts of a request. Refuses a missing or invalid blob, and a blob of another contract (Canton 3.5, ValidateDisclosedContracts.scala). */
export function readDisclosed(given: Json | undefined, messages: BodyMessages): DisclosedContracts | Refusal {
  const found = new Map<string, string>();
  for (const entry of objectsOf(given)) {
    const contractId = idOf(entry, messages);
    if (typeof contractId !== "string") return contractId;
    found.set(contractId, textOf(entry["synchronizerId"]));
  }
  return found;
}

function idOf(entry: JsonObject, messages: BodyMessages): string | Refusal {
  const [blob, contractId, templateId] = ["createdEventBlob", "contractId", "templateId"].map((name) =>
    textOf(entry[name]),
  );
  if (blob === undefined || blob === "") return missingField("DisclosedContract.createdEventBlob");
  const event = messages.createdEvent(blob);
  if (event === undefined) return invalidArgument("a disclosed contract has a createdEventBlob that cannot be decoded");
  if (contractId !== "" && contractId !== event.contractId)
    return invalidArgument(`the disclosed contract ${contractId} has the createdEventBlob of ${event.contractId}`);
  if (templateId !== undefined && templateId !== "" && entityOf(templateId) !== entityOf(event.templateId))
    return invalidArgument(
      `the disclosed contract ${event.contractId} is of ${event.templateId}, not of ${templateId}`,
    );
  return event.contractId;
}

/**
 * Refuses disclosed contracts that a transaction uses if they name different synchronizers, or another one than the request
 * (Canton 3.5, CommandExecutionErrors.scala; recorded responses).
 */
export function synchronizerMismatch(
  disclosed: DisclosedContracts,
  usedIds: readonly string[],
  requested: string,
): LedgerError | undefined {
  const used = [...new Set(usedIds)].flatMap((id) => {
    const synchronizer = disclosed.get(id) ?? "";
    return synchronizer === "" ? [] : [{ id, synchronizer }];
  });
  const [first] = used;
  if (first === undefined) return undefined;
  if (used.some(({ synchronizer }) => synchronizer !== first.synchronizer)) {
    const places = used.map(({ id, synchronizer }) => `${id} -> ${synchronizer}`).join(", ");
    return nodeError(
      "DISCLOSED_CONTRACTS_SYNCHRONIZER_ID_MISMATCH",
      `Some disclosed contracts that were used during command interpretation have mismatching synchronizer ids: Map(${places})`,
    );
  }
  if (requested === "" || requested === first.synchronizer) return undefined;
  const ids = used.map(({ id }) => id).join(", ");
  return nodeError(
    "PRESCRIBED_SYNCHRONIZER_ID_MISMATCH",
    `The target synchronizer=${requested} specified in the command submission mismatches the synchronizer id=${first.synchronizer} of some attached disclosed contracts that have been used in the submission (used-disclosed-contract-ids=Set(${ids}))`,
  );
}

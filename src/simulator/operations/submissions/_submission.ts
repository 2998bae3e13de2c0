import { textOf } from "../../../foundation/json/members.ts";
import type { PreparedTransaction } from "../../../foundation/protobuf/prepared-transaction.ts";
import type { KnownInterpretation } from "../../daml/interpretation-cache.ts";
import type { DeclaredTransaction, RegistryState } from "../../registry/registry-state.ts";
import type { Call } from "../operation.ts";

/** A prepared transaction, decoded or declared in the fixture. Times are microseconds since the epoch. */
export interface Submission {
  readonly actAs: readonly string[];
  readonly commandId: string;
  /** Empty if a declared transaction does not name one. */
  readonly synchronizerId: string;
  readonly minLedgerTimeMicros: bigint | undefined;
  readonly maxLedgerTimeMicros: bigint | undefined;
  readonly maxRecordTimeMicros: bigint | undefined;
  readonly what: SubmittedTransaction;
}

type SubmittedTransaction =
  | { readonly type: "declared"; readonly declared: DeclaredTransaction }
  | {
      readonly type: "prepared";
      readonly prepared: PreparedTransaction;
      /** Its interpretation when it was prepared, if that is kept. */
      readonly known: KnownInterpretation | undefined;
    };

/** The submission in the body of a request; undefined if it is neither declared nor a valid protobuf. */
export function submissionOf(
  { body, messages, interpretations }: Pick<Call, "body" | "messages" | "interpretations">,
  registry: RegistryState,
): Submission | undefined {
  const preparedTransaction = textOf(body["preparedTransaction"]);
  const declared = registry.preparedTransactions.get(preparedTransaction);
  if (declared !== undefined)
    return {
      actAs: declared.actAs,
      commandId: declared.commandId,
      synchronizerId: declared.synchronizerId ?? "",
      minLedgerTimeMicros: undefined,
      maxLedgerTimeMicros: undefined,
      maxRecordTimeMicros: undefined,
      what: { type: "declared", declared },
    };
  const known = interpretations.find(preparedTransaction);
  const prepared = messages().preparedTransaction(preparedTransaction, known);
  if (prepared === undefined) return undefined;
  const { metadata } = prepared;
  return {
    actAs: metadata?.actAs ?? [],
    commandId: metadata?.commandId ?? "",
    synchronizerId: metadata?.synchronizerId ?? "",
    minLedgerTimeMicros: metadata?.minLedgerTimeMicros,
    maxLedgerTimeMicros: metadata?.maxLedgerTimeMicros,
    maxRecordTimeMicros: metadata?.maxRecordTimeMicros,
    what: { type: "prepared", prepared, known },
  };
}

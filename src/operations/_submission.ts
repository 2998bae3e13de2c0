import { decodePreparedTransaction } from "../protobuf/prepared-transaction.ts";
import type { DeclaredTransaction, RegistryState } from "../registry/registry-state.ts";

/** A prepared transaction, decoded or declared in the fixture. Times are milliseconds since the epoch. */
export interface Submission {
  readonly actAs: readonly string[];
  readonly commandId: string;
  readonly synchronizerId: string;
  readonly minLedgerTimeMs: number | undefined;
  readonly maxLedgerTimeMs: number | undefined;
  /** Undefined where the transaction names none; a node executes one root. */
  readonly rootCount: number | undefined;
  readonly declared: DeclaredTransaction | undefined;
}

/** The submission that a base64 text stands for; undefined where it is neither declared nor the protobuf. */
export function submissionOf(preparedTransaction: string, registry: RegistryState): Submission | undefined {
  const declared = registry.preparedTransactions.get(preparedTransaction);
  if (declared !== undefined)
    return {
      actAs: declared.actAs,
      commandId: declared.commandId,
      synchronizerId: declared.synchronizerId ?? "",
      minLedgerTimeMs: undefined,
      maxLedgerTimeMs: undefined,
      rootCount: 1,
      declared,
    };
  const decoded = decodePreparedTransaction(preparedTransaction);
  if (decoded === undefined) return undefined;
  return {
    actAs: decoded.actAs,
    commandId: decoded.commandId,
    synchronizerId: decoded.synchronizerId,
    minLedgerTimeMs: millisecondsOf(decoded.minLedgerTimeMicros),
    maxLedgerTimeMs: millisecondsOf(decoded.maxLedgerTimeMicros),
    rootCount: decoded.rootCount,
    declared: undefined,
  };
}

function millisecondsOf(micros: bigint | undefined): number | undefined {
  return micros === undefined ? undefined : Number(micros / 1000n);
}

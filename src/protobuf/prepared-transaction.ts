import { bytesOfBase64, type Fields, readFields } from "./_fields.ts";

/** What an execution needs of a PreparedTransaction (com.daml.ledger.api.v2.interactive). Times are microseconds since the epoch. */
export interface PreparedMetadata {
  readonly actAs: readonly string[];
  readonly commandId: string;
  readonly synchronizerId: string;
  readonly transactionUuid: string;
  readonly minLedgerTimeMicros: bigint | undefined;
  readonly maxLedgerTimeMicros: bigint | undefined;
  /** How many roots the transaction has; undefined where there is no transaction. */
  readonly rootCount: number | undefined;
}

/** The metadata of a prepared transaction in standard base64; undefined where it is no such protobuf. */
export function decodePreparedTransaction(base64: string): PreparedMetadata | undefined {
  const bytes = bytesOfBase64(base64);
  if (bytes === undefined) return undefined;
  try {
    const prepared = readFields(bytes);
    const transaction = prepared.message(1);
    const metadata = prepared.message(2);
    const submitter = metadata?.message(2);
    return {
      actAs: submitter?.texts(1) ?? [],
      commandId: submitter?.text(2) ?? "",
      synchronizerId: metadata?.text(3) ?? "",
      transactionUuid: metadata?.text(5) ?? "",
      minLedgerTimeMicros: optionalInteger(metadata, 9),
      maxLedgerTimeMicros: optionalInteger(metadata, 10),
      rootCount: transaction?.texts(2).length,
    };
  } catch {
    return undefined;
  }
}

function optionalInteger(fields: Fields | undefined, field: number): bigint | undefined {
  return fields?.has(field) === true ? fields.integer(field) : undefined;
}

import { limits } from "../../foundation/limits/limits.ts";
import { FieldBudget } from "../../foundation/protobuf/field-budget.ts";
import { uuidOfPreparedTransaction } from "../../foundation/protobuf/prepared-transaction.ts";
import { digestOf } from "./digest.ts";
import { isRedacted } from "./is-redacted.ts";

/** What rules compare of a prepared transaction. */
export interface PreparedReading {
  /** The digest of the base64 without its padding, which is optional; undefined for an empty or redacted text. */
  readonly digest: string | undefined;
  /** Reads the UUID of the transaction, once; empty without one. */
  uuid(): string;
}

export function readPrepared(preparedTransaction: string): PreparedReading {
  let uuid: string | undefined;
  return {
    digest: digestIn(preparedTransaction),
    uuid: () => {
      uuid ??= uuidIn(preparedTransaction);
      return uuid;
    },
  };
}

function digestIn(preparedTransaction: string): string | undefined {
  if (preparedTransaction === "" || isRedacted(preparedTransaction)) return undefined;
  return digestOf(withoutPadding(preparedTransaction));
}

/** A pattern for the end of a text would look for it at every character. */
function withoutPadding(base64: string): string {
  let end = base64.length;
  while (base64[end - 1] === "=") end -= 1;
  return base64.slice(0, end);
}

function uuidIn(preparedTransaction: string): string {
  if (preparedTransaction === "") return "";
  const budget = new FieldBudget(limits.protobufFieldsMax.byDefault);
  return uuidOfPreparedTransaction(preparedTransaction, budget);
}

import { objectOf, textsOf } from "../../../foundation/json/members.ts";
import { everythingFor, transactionFormatProblem } from "../_event-format.ts";
import type { TransactionOptions } from "../_transaction-json.ts";
import type { Call, WorldView } from "../operation.ts";
import { invalidArgument, type Refusal } from "../refusal.ts";
import { optionsOf } from "./_update.ts";

/** The refusal of a request that names its parties twice or not at all, or of its format. */
export function transactionRequestProblem(call: Call, world: WorldView): Refusal | undefined {
  const [format, parties] = [call.body["transactionFormat"] ?? null, textsOf(call.body["requestingParties"])];
  if (format !== null)
    return parties.length > 0
      ? invalidArgument("Both transaction_format and requesting_parties are set.")
      : transactionFormatProblem(objectOf(format), call, world);
  return parties.length === 0
    ? invalidArgument("Either transaction_format or requesting_parties is required.")
    : undefined;
}

/** The format of the request, or by default all events of the requesting parties. */
export function transactionOptions(call: Call, world: WorldView): TransactionOptions {
  const format = call.body["transactionFormat"] ?? null;
  if (format !== null) return optionsOf(objectOf(format), call, world);
  const parties = textsOf(call.body["requestingParties"]);
  return { ...optionsOf({}, call, world), format: everythingFor(parties) };
}

import { objectOf, textsOf } from "../../../foundation/json/members.ts";
import { everythingFor } from "../_event-format.ts";
import type { TransactionOptions } from "../_transaction-json.ts";
import type { Call, WorldView } from "../operation.ts";
import { invalidArgument, type Refusal } from "../refusal.ts";
import { optionsOf } from "./_update.ts";

/** The problem of a request that names its parties twice, or not at all. */
export function partiesProblem({ body }: Call): Refusal | undefined {
  const [format, parties] = [body["transactionFormat"] ?? null, textsOf(body["requestingParties"])];
  if (format === null && parties.length === 0)
    return invalidArgument("Either transaction_format or requesting_parties is required.");
  return format !== null && parties.length > 0
    ? invalidArgument("Both transaction_format and requesting_parties are set.")
    : undefined;
}

/** The format of the request, or by default all events of the requesting parties. */
export function transactionOptions(call: Call, world: WorldView): TransactionOptions {
  const format = call.body["transactionFormat"] ?? null;
  if (format !== null) return optionsOf(objectOf(format), call, world);
  const parties = textsOf(call.body["requestingParties"]);
  return { ...optionsOf({}, call, world), format: everythingFor(parties) };
}

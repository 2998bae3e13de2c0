import { objectOf } from "../../../foundation/json/members.ts";
import { type EventFormat, eventFormatOf, partiesOf } from "../_event-format.ts";
import { integerOf } from "../_json-members.ts";
import { mayRead } from "../_reading.ts";
import type { Call, Operation } from "../operation.ts";
import { invalidArgument } from "../refusal.ts";
import { type ActiveEntry, activeEntries, activeOffsetProblem, formatRefusal } from "./_active-contracts.ts";
import { listed } from "./_list.ts";

/** `POST /v2/state/active-contracts`: the active contracts for the parties of the filter (Canton 3.5, openapi.yaml). */
export const listActiveContracts: Operation = {
  operationId: "postV2StateActive-contracts",
  mayCall: (call, world) => mayRead(call, partiesOf(formatOf(call)), world),
  perform(call, world) {
    const offset = integerOf(call.body["activeAtOffset"]) ?? 0n;
    const unfit = activeOffsetProblem(offset, world.ledger);
    if (unfit !== undefined) return unfit;
    const ambiguous = formatProblem(call);
    if (ambiguous !== undefined) return invalidArgument(ambiguous);
    const format = formatOf(call);
    const misformed = formatRefusal(format, call);
    if (misformed !== undefined) return misformed;
    return listed(entries(activeEntries({ offset, format }, call, world)), call);
  },
};

/** The problem of a request with none or both of the two ways to name a format. */
function formatProblem({ body }: Call): string | undefined {
  const [eventFormat, filter] = [body["eventFormat"] ?? null, body["filter"] ?? null];
  if (eventFormat === null) return filter === null ? "Either filter/verbose or event_format is required." : undefined;
  if (filter !== null) return "Both event_format and filter are set.";
  return body["verbose"] === true ? "Both event_format and verbose are set." : undefined;
}

function formatOf({ body }: Call): EventFormat {
  return eventFormatOf(objectOf(body["eventFormat"] ?? body["filter"]));
}

function* entries(active: Iterable<ActiveEntry>): IterableIterator<ActiveEntry["entry"]> {
  for (const { entry } of active) yield entry;
}

import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf } from "../../../foundation/json/members.ts";
import { type EventFormat, eventFormatOf, eventFormatProblem, partiesOf } from "../_event-format.ts";
import { integerOf } from "../_json-members.ts";
import { listed } from "../_list.ts";
import { mayRead } from "../_reading.ts";
import type { Call, Operation, WorldView } from "../operation.ts";
import { invalidArgument, type Refusal } from "../refusal.ts";
import { activeEntries, activeOffsetProblem } from "./_active-contracts.ts";

/** `POST /v2/state/active-contracts`: the active contracts for the parties of the filter (Canton 3.5, openapi.yaml). */
export const listActiveContracts: Operation = {
  operationId: "postV2StateActive-contracts",
  mayCall: (call, world) => mayRead(call, partiesOf(formatOf(call)), world),
  perform(call, world) {
    const found = wanted(call, world);
    return found.type === "wanted" ? listed(entries(found, call, world), call) : found;
  },
  stream(call, world) {
    const found = wanted(call, world);
    if (found.type !== "wanted") return found;
    return { type: "stream", isFinite: true, read: (now) => [...entries(found, call, now)] };
  },
};

interface WantedContracts {
  readonly type: "wanted";
  readonly offset: bigint;
  readonly format: EventFormat;
}

function wanted(call: Call, world: WorldView): WantedContracts | Refusal {
  const offset = integerOf(call.body["activeAtOffset"]) ?? 0n;
  const unfit = activeOffsetProblem(offset, world.ledger);
  if (unfit !== undefined) return unfit;
  const ambiguous = formatProblem(call);
  if (ambiguous !== undefined) return invalidArgument(ambiguous);
  const format = formatOf(call);
  return eventFormatProblem(format, call, world) ?? { type: "wanted", offset, format };
}

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

function* entries(requested: WantedContracts, call: Call, world: WorldView): IterableIterator<JsonObject> {
  for (const { entry } of activeEntries(requested, call, world)) yield entry;
}

import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, textsOf } from "../../../foundation/json/members.ts";
import { type LedgerState, type Update, updatesAfter } from "../../ledger/ledger-state.ts";
import { checkpointJson } from "../_checkpoint.ts";
import { type EventFormat, eventFormatOf, everythingFor, packageIdProblem, partiesOf } from "../_event-format.ts";
import { integerOf } from "../_json-members.ts";
import { beginProblem, endProblem } from "../_offsets.ts";
import { mayRead } from "../_reading.ts";
import { isVisible, type TransactionOptions, transactionJson, transactionTreeJson } from "../_transaction-json.ts";
import type { Call, ElementStream, WorldView } from "../operation.ts";
import { invalidArgument, missingField, nodeError, type Refusal } from "../refusal.ts";
import { optionsOf } from "./_update.ts";

// Requests for many updates, as lists, pages and streams (Canton 3.5, UpdateServiceRequestValidator.scala, UpdateServiceQueryIT).

/** Whether transactions are sent as such, or as trees. */
type UpdateShape = "transaction" | "tree";

/** The updates that a request asks for. */
export interface WantedUpdates {
  readonly type: "wanted";
  readonly after: bigint;
  /** Undefined without an end. */
  readonly upTo: bigint | undefined;
  readonly isDescending: boolean;
  /** Undefined if no transactions are asked for. */
  readonly shown: TransactionOptions | undefined;
  readonly shape: UpdateShape;
}

/** Whether the caller may read what the formats of the request ask for. */
export function mayReadUpdates(call: Call, world: WorldView): boolean {
  const { updateFormat, filter } = call.body;
  if ((updateFormat ?? null) === null)
    return (filter ?? null) === null || mayRead(call, partiesOf(eventFormatOf(objectOf(filter))), world);
  const { includeTransactions, includeReassignments, includeTopologyEvents } = objectOf(updateFormat);
  const formats = [objectOf(includeTransactions)["eventFormat"], includeReassignments ?? null]
    .filter((format) => format !== null)
    .map((format) => eventFormatOf(objectOf(format)));
  const topology = objectOf(includeTopologyEvents)["includeParticipantAuthorizationEvents"] ?? null;
  const parties = textsOf(objectOf(topology)["parties"]);
  return (
    formats.every((format) => mayRead(call, partiesOf(format), world)) &&
    (topology === null || mayRead(call, parties.length === 0 ? undefined : parties, world))
  );
}

/** The updates that a request asks for, or why it is refused. */
export function wantedUpdates(
  call: Call,
  world: WorldView,
  shape: UpdateShape = "transaction",
): WantedUpdates | Refusal {
  const ambiguous = formatProblem(call.body);
  if (ambiguous !== undefined) return invalidArgument(ambiguous);
  const misformed = transactionsProblem(call) ?? filterProblem(call);
  if (misformed !== undefined) return misformed;
  const after = integerOf(call.body["beginExclusive"]) ?? 0n;
  const upTo = integerOf(call.body["endInclusive"] ?? undefined);
  const isDescending = call.body["descendingOrder"] === true;
  const outside =
    beginProblem(after, world.ledger) ?? (upTo === undefined ? undefined : endProblem(after, upTo, world.ledger));
  if (outside !== undefined) return outside;
  if (isDescending && upTo === undefined)
    return nodeError(
      "DESCENDING_ORDER_MISSING_END",
      "The submitted request has invalid arguments: end_inclusive is not provided when descending_order is true",
    );
  return { type: "wanted", after, upTo, isDescending, shown: shownBy(call, world, shape), shape };
}

function formatProblem({ updateFormat = null, filter = null, verbose }: JsonObject): string | undefined {
  if (updateFormat === null) return filter === null ? "Either filter/verbose or update_format is required." : undefined;
  if (filter !== null) return "Both update_format and filter are set.";
  return verbose === true ? "Both update_format and verbose are set." : undefined;
}

/** The problem of the transactions of an update format: no shape, no parties, a package by id. */
function transactionsProblem(call: Call): Refusal | undefined {
  const requested = objectOf(call.body["updateFormat"])["includeTransactions"] ?? null;
  if (requested === null) return undefined;
  const { transactionShape, eventFormat } = objectOf(requested);
  if (transactionShape === "TRANSACTION_SHAPE_UNSPECIFIED") return missingField("transaction_shape");
  return formatRefused(eventFormatOf(objectOf(eventFormat)), call);
}

function filterProblem(call: Call): Refusal | undefined {
  const filter = call.body["filter"] ?? null;
  return filter === null ? undefined : formatRefused(eventFormatOf(objectOf(filter)), call);
}

function formatRefused(format: EventFormat, call: Call): Refusal | undefined {
  return format.filters.size === 0
    ? invalidArgument("filtersByParty and filtersForAnyParty cannot be empty simultaneously")
    : packageIdProblem(format, call);
}

function shownBy(call: Call, world: WorldView, shape: UpdateShape): TransactionOptions | undefined {
  const { updateFormat = null, filter } = call.body;
  if (updateFormat === null) {
    const options = optionsOf({ eventFormat: filter ?? null }, call, world);
    return shape === "tree" ? { ...options, isFull: true, format: withWildcards(options.format) } : options;
  }
  const requested = objectOf(updateFormat)["includeTransactions"] ?? null;
  return requested === null ? undefined : optionsOf(objectOf(requested), call, world);
}

/** Trees show all events of the parties; their filters choose only views and blobs. */
function withWildcards({ filters }: EventFormat): EventFormat {
  const everything = everythingFor([""]).filters.get("") ?? [];
  return { filters: new Map([...filters].map(([party, given]) => [party, [...given, ...everything]])) };
}

/** The wanted updates that are on the ledger, each as an element of a list or stream. */
export function* updateElements(wanted: WantedUpdates, ledger: LedgerState): IterableIterator<JsonObject> {
  for (const update of updatesOf(wanted, ledger)) {
    const element = updateElement(update, wanted);
    if (element !== undefined) yield element;
  }
}

/** The updates of the wanted offsets, in the wanted order, whether the request shows them or not. */
export function updatesOf({ after, upTo, isDescending }: WantedUpdates, ledger: LedgerState): Iterable<Update> {
  const ascending = within(updatesAfter(after, ledger), upTo ?? ledger.ledgerEnd);
  return isDescending ? [...ascending].reverse() : ascending;
}

/** An update as an element of a list or stream; undefined if the request does not show it. */
export function updateElement(update: Update, { shown, shape }: WantedUpdates): JsonObject | undefined {
  if (shown === undefined || !isVisible(update, shown)) return undefined;
  return shape === "tree"
    ? { update: { TransactionTree: { value: transactionTreeJson(update, shown) } } }
    : { update: { Transaction: { value: transactionJson(update, shown) } } };
}

function* within(updates: IterableIterator<Update>, upTo: bigint): IterableIterator<Update> {
  for (const update of updates) {
    if (update.offset > upTo) return;
    yield update;
  }
}

/** The wanted updates as a stream. It ends if they have an end. */
export function updateStream(wanted: WantedUpdates): ElementStream {
  let { after } = wanted;
  return {
    type: "stream",
    isFinite: wanted.upTo !== undefined,
    read({ ledger }) {
      if (ledger.ledgerEnd < after) return undefined;
      const elements = [...updateElements({ ...wanted, after }, ledger)];
      after = ledger.ledgerEnd;
      return elements;
    },
    checkpoint: ({ ledger }) => ({ update: checkpointJson(ledger) }),
  };
}

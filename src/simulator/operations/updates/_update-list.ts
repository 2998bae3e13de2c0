import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf } from "../../../foundation/json/members.ts";
import { type LedgerState, type Update, updatesAfter } from "../../ledger/ledger-state.ts";
import { checkpointJson } from "../_checkpoint.ts";
import {
  type EventFormat,
  eventFormatOf,
  eventFormatProblem,
  everythingFor,
  updateFormatProblem,
} from "../_event-format.ts";
import { integerOf } from "../_json-members.ts";
import { beginProblem, endProblem } from "../_offsets.ts";
import { eventsOf, type TransactionOptions, transactionJson, transactionTreeJson } from "../_transaction-json.ts";
import type { Call, ElementStream, WorldView } from "../operation.ts";
import { invalidArgument, nodeError, type Refusal } from "../refusal.ts";
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

/** The updates that a request asks for, or why it is refused. */
export function wantedUpdates(
  call: Call,
  world: WorldView,
  shape: UpdateShape = "transaction",
): WantedUpdates | Refusal {
  const ambiguous = formatProblem(call.body);
  if (ambiguous !== undefined) return invalidArgument(ambiguous);
  const misformed = namedFormatProblem(call, world);
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

/** The problem of the format that the request names. */
function namedFormatProblem(call: Call, world: WorldView): Refusal | undefined {
  const { updateFormat = null, filter } = call.body;
  return updateFormat === null
    ? eventFormatProblem(eventFormatOf(objectOf(filter)), call, world)
    : updateFormatProblem(objectOf(updateFormat), call, world);
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
  const events = shown === undefined ? [] : eventsOf(update, shown);
  if (shown === undefined || events.length === 0) return undefined;
  return shape === "tree"
    ? { update: { TransactionTree: { value: transactionTreeJson(update, shown, events) } } }
    : { update: { Transaction: { value: transactionJson(update, shown, events) } } };
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

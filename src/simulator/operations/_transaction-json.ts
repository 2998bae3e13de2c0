import { type JsonObject, jsonOfInteger } from "../../foundation/json/json.ts";
import { objectOf } from "../../foundation/json/members.ts";
import { instantOfMicros, jsonOfValue, microsOfMs } from "../daml/daml-json.ts";
import { interfacesOf, viewsOf } from "../daml/token-views.ts";
import type { LedgerContract, Update, UpdateEvent } from "../ledger/ledger-state.ts";
import type { RegistryState } from "../registry/registry-state.ts";
import { type EventFormat, type Sight, sightOf } from "./_event-format.ts";

/** The form of a transaction. `isFull` shows every exercise, otherwise only created and archived contracts. */
export interface TransactionOptions {
  readonly format: EventFormat;
  readonly isFull: boolean;
  readonly registry: RegistryState;
  /** Whether the release sends `transactionHash`. */
  readonly hasHash: boolean;
}

/** A transaction as JSON, as the requesting parties see it (Canton 3.5, openapi.yaml). */
export function transactionJson(
  update: Update,
  options: TransactionOptions,
  events: readonly JsonObject[] = eventsOf(update, options),
): JsonObject {
  const { offset, ...head } = headJson(update, options.format);
  return {
    ...head,
    events,
    offset,
    externalTransactionHash: update.transactionHash ?? null,
    ...(options.hasHash ? { transactionHash: update.transactionHash ?? null } : {}),
    paidTrafficCost: isOfSubmitter(update, options.format) ? (update.paidTrafficCost ?? 0) : null,
  };
}

/** Whether a submitter on this participant is among the requesting parties. */
function isOfSubmitter({ submitters }: Update, { filters }: EventFormat): boolean {
  return submitters.some((party) => filters.has(undefined) || filters.has(party));
}

/** The common members of transactions and transaction trees. */
function headJson(update: Update, format: EventFormat) {
  const committedAt = instantOfMicros(microsOfMs(update.committedAtMs));
  return {
    updateId: update.updateId,
    commandId: isOfSubmitter(update, format) ? update.commandId : "",
    workflowId: update.workflowId ?? "",
    effectiveAt: committedAt,
    offset: jsonOfInteger(update.offset),
    synchronizerId: update.synchronizerId,
    traceContext: null,
    recordTime: committedAt,
  };
}

/** A transaction as a tree of its events by node id, for deprecated operations (Canton 3.5, openapi.yaml). */
export function transactionTreeJson(
  update: Update,
  options: Pick<TransactionOptions, "format" | "registry">,
  events: readonly JsonObject[] = eventsOf(update, { ...options, isFull: true }),
): JsonObject {
  const byId = events.flatMap((event) =>
    Object.entries(event).map(([kind, value]) => [
      String(objectOf(value)["nodeId"]),
      { [kind.replace("Event", "TreeEvent")]: { value } },
    ]),
  );
  return { ...headJson(update, options.format), eventsById: Object.fromEntries(byId) };
}

/** The events of an update that the requesting parties see. */
export function eventsOf(
  update: Update,
  { format, isFull, registry }: Omit<TransactionOptions, "hasHash">,
): readonly JsonObject[] {
  const consumed = new Set(
    update.events.flatMap((event) =>
      event.type === "exercised" && event.isConsuming ? [event.contract.contractId] : [],
    ),
  );
  const created = new Set(
    update.events.flatMap((event) => (event.type === "created" ? [event.contract.contractId] : [])),
  );
  const witnessesOf = isFull ? witnesses() : ({ contract }: UpdateEvent) => stakeholdersOf(contract);
  return update.events.flatMap((event): readonly JsonObject[] => {
    const { contract } = event;
    const views = viewsOf(contract, registry);
    const sight = sightOf(contract, witnessesOf(event), views, format);
    // A contract created and archived in one transaction is never active.
    const isTransient = consumed.has(contract.contractId) && created.has(contract.contractId);
    if (sight === undefined || (!isFull && isTransient)) return [];
    const isInAcsDelta = !isTransient && sightOf(contract, stakeholdersOf(contract), views, format) !== undefined;
    if (event.type === "created") return [{ CreatedEvent: createdJson(contract, sight, isInAcsDelta) }];
    if (isFull) return [{ ExercisedEvent: exercisedJson(event, update, sight, { registry, isInAcsDelta }) }];
    return event.isConsuming ? [{ ArchivedEvent: archivedJson(event, update, sight, registry) }] : [];
  });
}

/** Gives the witnesses of each event, in order: its own informees and those of the exercises around it (Canton 3.5, transaction_filter.proto, WitnessesIT). */
function witnesses(): (event: UpdateEvent) => readonly string[] {
  const open: { readonly last: number; readonly informees: readonly string[] }[] = [];
  return (event) => {
    while ((open.at(-1)?.last ?? event.nodeId) < event.nodeId) open.pop();
    const all = [...new Set([...(open.at(-1)?.informees ?? []), ...informeesOf(event)])].sort();
    if (event.type === "exercised") open.push({ last: event.lastDescendantNodeId, informees: all });
    return all;
  };
}

/** The parties that take part in an action: observers of a contract do not in a non-consuming exercise. */
function informeesOf(event: UpdateEvent): readonly string[] {
  const { contract } = event;
  if (event.type === "created") return stakeholdersOf(contract);
  return [...(event.isConsuming ? stakeholdersOf(contract) : contract.signatories), ...event.actingParties];
}

export function stakeholdersOf({ signatories, observers }: LedgerContract): readonly string[] {
  return [...signatories, ...observers];
}

/** A created event as JSON; parts that were not requested are empty. */
export function createdJson(contract: LedgerContract, sight: Sight, isInAcs: boolean): JsonObject {
  return {
    offset: jsonOfInteger(contract.offset),
    nodeId: contract.nodeId,
    contractId: contract.contractId,
    templateId: contract.templateId,
    contractKey: null,
    contractKeyHash: "",
    createArgument: jsonOfValue(contract.argument),
    createdEventBlob: sight.hasBlob ? contract.createdEventBlob : "",
    interfaceViews: sight.views.map(({ interfaceId, view }) => ({
      interfaceId,
      viewStatus: { code: 0, message: "", details: [] },
      viewValue: view,
      implementationPackageId: contract.templateId.split(":")[0] ?? "",
    })),
    witnessParties: sight.witnesses,
    signatories: contract.signatories,
    observers: contract.observers,
    createdAt: instantOfMicros(contract.createdAtMicros),
    packageName: contract.packageName,
    representativePackageId: contract.templateId.split(":")[0] ?? "",
    acsDelta: isInAcs,
  };
}

type Exercised = Extract<UpdateEvent, { readonly type: "exercised" }>;

/** An archived event as JSON. */
export function archivedJson(
  { nodeId, contract }: Exercised,
  { offset }: Update,
  { witnesses }: Sight,
  registry: RegistryState,
): JsonObject {
  return {
    offset: jsonOfInteger(offset),
    nodeId,
    contractId: contract.contractId,
    templateId: contract.templateId,
    witnessParties: witnesses,
    packageName: contract.packageName,
    implementedInterfaces: interfacesOf(contract, registry),
  };
}

function exercisedJson(
  event: Exercised,
  { offset }: Update,
  sight: Sight,
  { registry, isInAcsDelta }: { readonly registry: RegistryState; readonly isInAcsDelta: boolean },
): JsonObject {
  const { contract } = event;
  return {
    offset: jsonOfInteger(offset),
    nodeId: event.nodeId,
    contractId: contract.contractId,
    templateId: contract.templateId,
    interfaceId: event.interfaceId ?? null,
    choice: event.choice,
    choiceArgument: jsonOfValue(event.argument),
    actingParties: event.actingParties,
    consuming: event.isConsuming,
    witnessParties: sight.witnesses,
    lastDescendantNodeId: event.lastDescendantNodeId,
    exerciseResult: event.result === undefined ? null : jsonOfValue(event.result),
    packageName: contract.packageName,
    implementedInterfaces: interfacesOf(contract, registry),
    acsDelta: event.isConsuming && isInAcsDelta,
  };
}

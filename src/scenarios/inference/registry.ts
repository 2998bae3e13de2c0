import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, withoutUndefined } from "../../foundation/json/members.ts";
import { decodeCreatedEventBlob } from "../../foundation/protobuf/created-event-blob.ts";
import { freeName, kebab } from "./_names.ts";
import { type Call, causeOf } from "./call.ts";
import {
  type ContextKey,
  contextKeysOf,
  type DisclosedNames,
  isPreapprovalKey,
  preapprovalMembers,
} from "./choice-context.ts";
import type { SeenReassignments } from "./reassignments.ts";
import type { Timeline } from "./timeline.ts";

interface SeenContract {
  name: string;
  json: JsonObject;
  /** Its synchronizer in the first response. */
  synchronizerId: string;
  /** When it opened, in milliseconds from the start; undefined if it was open initially. */
  opensAfterMs: number | undefined;
  /** Whether it existed initially. */
  existed: boolean;
}

interface SeenReceiver {
  /** Whether direct transfers were pre-approved initially, and whether they are now. */
  readonly wasApproved: boolean;
  isApproved: boolean;
  /** The places of the last lookup before the pre-approval, and of the first one after it. */
  offeredAt: number;
  approvedAt: number;
  /** Names of the pre-approval's contracts, by the fixture's member. */
  members: JsonObject;
  /** The call before which the pre-approval appeared without a request. */
  approvedBy: JsonObject | undefined;
}

/** The transfer in a lookup. */
interface RequestedTransfer {
  readonly sender: string;
  readonly receiver: string;
  readonly instrumentId: string;
  readonly amount: string;
}

/** A receiver whose pre-approval appeared between two lookups, with the transfer in them. */
export interface ApprovedReceiver extends RequestedTransfer {
  readonly offeredAt: number;
  readonly approvedAt: number;
}

const contractsMax = 20_000;
const receiversMax = 100_000;
const instrumentsMax = 10_000;

const movingOperations: ReadonlySet<string> = new Set(["beginReassignment", "completeReassignment"]);

/** The placeholder for a template that no response shows. */
const unknownTemplate = `${"0".repeat(64)}:Unknown:Unknown`;

export const lookupOperations: ReadonlySet<string> = new Set(["getTransferFactory", "getTransferFactoryV1"]);

/** The initial registry, inferred from lookups and metadata. */
export class SeenRegistry {
  readonly #contracts = new Map<string, SeenContract>();
  readonly #receivers = new Map<string, SeenReceiver>();
  readonly #instruments = new Map<string, JsonObject>();
  readonly #keys = new Map<string, string[]>();
  readonly #reassignments: SeenReassignments;
  readonly #timeline: Timeline;
  /** Names of contracts in the control API, by the inferred names used before. */
  readonly #renamed = new Map<string, string>();
  /** Names of contracts in requests to the control API. */
  readonly #moved = new Set<string>();
  readonly #notExpressible = new Set<string>();
  readonly #plan: JsonObject[] = [];
  /** The latest requested transfer, by receiver. */
  readonly #requested = new Map<string, RequestedTransfer>();
  #admin = "";
  #factory: { readonly contractId: string; readonly name: string; readonly isFirst: boolean } | undefined;
  #areInstrumentsChecked = false;
  #missing = "";

  constructor(reassignments: SeenReassignments, timeline: Timeline) {
    this.#reassignments = reassignments;
    this.#timeline = timeline;
  }

  note(call: Call, nth: number): void {
    const { operation, status, response } = call;
    if (lookupOperations.has(operation.operationId)) {
      if (status === 200 && objectOf(call.body)["choiceArguments"] !== undefined) this.#noteLookup(call, nth);
      else this.#noteRefusal(call);
      return;
    }
    if (movingOperations.has(operation.operationId) && (status === 200 || status === 409))
      this.#moved.add(textOf(objectOf(call.body)["contract"]));
    if (status !== 200) return;
    if (operation.operationId === "getRegistryInfo") this.#admin = textOf(objectOf(response)["adminId"]) || this.#admin;
    if (operation.operationId === "getInstrument") this.#noteInstrument(objectOf(response));
    if (operation.operationId === "listInstruments")
      for (const shown of objectsOf(objectOf(response)["instruments"])) this.#noteInstrument(shown);
    if (operation.api === "control") this.#noteWorld(objectOf(response));
  }

  get notExpressible(): readonly string[] {
    return [...this.#notExpressible];
  }

  /** The receivers whose pre-approval appeared during the recording. */
  approvedMeanwhile(): readonly ApprovedReceiver[] {
    return [...this.#receivers].flatMap(([receiver, { approvedBy, offeredAt, approvedAt }]) => {
      const requested = this.#requested.get(receiver);
      return approvedBy === undefined || requested === undefined ? [] : [{ ...requested, offeredAt, approvedAt }];
    });
  }

  /** Changes that no request caused. Prepared transactions pre-approved the receivers in `explained`. */
  plan(explained: readonly string[]): readonly JsonObject[] {
    const approvals = [...this.#receivers].flatMap(([receiver, { approvedBy, members }]) =>
      approvedBy === undefined || explained.includes(receiver)
        ? []
        : [{ ...approvedBy, createPreapproval: { receiver, ...this.#withCurrentNames(members) } }],
    );
    return [...approvals, ...this.#plan];
  }

  /** The factory contract; its id is empty if no lookup succeeded. */
  get factory(): { readonly contractId: string; readonly name: string } {
    const { contractId = "", name = "factory" } = this.#factory ?? {};
    return { contractId, name: this.#currentName(name) };
  }

  /** The initial registry, without the contracts of the pre-approvals in `explained`. */
  fixture(more: JsonObject, startMs: number, explained: readonly string[]): JsonObject {
    const approved = [...this.#receivers].filter(([, { wasApproved }]) => wasApproved);
    const made = new Set(explained.flatMap((receiver) => Object.values(this.#receivers.get(receiver)?.members ?? {})));
    const contracts = [...this.#contracts.values()].filter(({ existed, name }) => existed && !made.has(name));
    const rows = [...contracts, ...this.#undisclosed(contracts)].map((contract) => {
      const name = this.#currentName(contract.name);
      const synchronizer = this.#reassignments.sourceOf(name, contract.synchronizerId);
      return contractRow({ ...contract, name, synchronizer }, startMs);
    });
    const isThere = (name: string) => rows.some((row) => row["name"] === name);
    const preapprovals = approved.map(([receiver, { members }]) => ({ receiver, ...this.#withCurrentNames(members) }));
    return withoutUndefined({
      admin: this.#admin || undefined,
      instrumentsChecked: this.#areInstrumentsChecked ? true : undefined,
      instruments: this.#instruments.size === 0 ? undefined : [...this.#instruments.values()],
      factory: withoutUndefined({
        contract: isThere(this.factory.name) ? this.factory.name : undefined,
        missing: this.#missing || undefined,
        disclosed: this.#factory?.isFirst === true ? "first" : "last",
        context: [...this.#keys].map(([key, names]) => ({
          key,
          contracts: names.map((name) => this.#currentName(name)).filter(isThere),
        })),
      }),
      preapprovals: preapprovals.length === 0 ? undefined : preapprovals,
      ...more,
      contracts: rows,
    });
  }

  /** Contracts in requests for a reassignment that no lookup disclosed. */
  #undisclosed(disclosed: readonly SeenContract[]): readonly SeenContract[] {
    const known = new Set(disclosed.map(({ name }) => this.#currentName(name)));
    const all = [...this.#contracts].map(([contractId, { name }]) => ({ contractId, name }));
    return [...this.#moved]
      .filter((name) => !known.has(name))
      .map((name) => {
        const contractId = all.find((contract) => contract.name === name)?.contractId;
        const json = withoutUndefined({ templateId: unknownTemplate, contractId });
        return { name, json, synchronizerId: "", opensAfterMs: undefined, existed: true };
      });
  }

  #currentName(name: string): string {
    return this.#renamed.get(name) ?? name;
  }

  #withCurrentNames(members: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(members).map(([member, name]) => [member, this.#currentName(textOf(name))]),
    );
  }

  #noteLookup(call: Call, nth: number): void {
    const response = objectOf(call.response);
    const factoryId = textOf(response["factoryId"]);
    const context = objectOf(response["choiceContext"]);
    const values = objectOf(objectOf(context["choiceContextData"])["values"]);
    const disclosed = objectsOf(context["disclosedContracts"]);
    const requested = requestedTransfer(call);
    const admin = textOf(objectOf(transferOf(call)["instrumentId"])["admin"]);
    this.#admin ||= admin;
    if (requested.instrumentId !== "" && !this.#instruments.has(requested.instrumentId))
      this.#noteInstrument({ id: requested.instrumentId });
    const names = this.#named(disclosed, values, requested.receiver);
    const keys = contextKeysOf(values, names);
    this.#noteKeys(keys);
    this.#timeline.noteTimestamp(textOf(transferOf(call)["requestedAt"]));
    this.#timeline.noteLookup();
    this.#factory ??= {
      contractId: factoryId,
      name: names.get(factoryId) ?? "factory",
      isFirst: disclosed.length > 1 && textOf(disclosed[0]?.["contractId"]) === factoryId,
    };
    this.#noteKind(call, nth, requested, keys);
    this.#noteNotExpressible(values, keys, names, factoryId);
    this.#reassignments.noteResponse(
      call,
      nth,
      disclosed.map((json) => ({
        contractId: textOf(json["contractId"]),
        name: this.#currentName(names.get(textOf(json["contractId"])) ?? ""),
        synchronizerId: textOf(json["synchronizerId"]),
      })),
    );
  }

  #noteRefusal(call: Call): void {
    const cause = causeOf(call);
    if (call.status === 404 && /instrument/i.test(cause)) this.#areInstrumentsChecked = true;
    else if (call.status === 404 && isJsonObject(call.response)) this.#missing ||= cause;
  }

  /** The names of the disclosed contracts, by id: the recorded names, else names from the context key or template. */
  #named(disclosed: readonly JsonObject[], values: JsonObject, receiver: string): DisclosedNames {
    const names = new Map<string, string>();
    for (const json of disclosed) {
      const contractId = textOf(json["contractId"]);
      const known = this.#contracts.get(contractId);
      if (known !== undefined) {
        if (known.synchronizerId === "") known.synchronizerId = textOf(json["synchronizerId"]);
        if (!isJsonObject(known.json["debugPayload"])) known.json = json;
        known.existed = true;
        names.set(contractId, known.name);
        continue;
      }
      const key = Object.entries(values).find(([, value]) => objectOf(value)["value"] === contractId)?.[0];
      const isOfReceiver = key === preapprovalMembers.contract;
      const base = isOfReceiver
        ? `preapproval-${receiver.split("::")[0]}`
        : (key?.split("/").at(-1) ?? kebab(textOf(json["templateId"]).split(":").at(-1) ?? "contract"));
      const name = this.#freeName(base);
      if (this.#contracts.size >= contractsMax) break;
      const synchronizerId = textOf(json["synchronizerId"]);
      this.#contracts.set(contractId, { name, json, synchronizerId, opensAfterMs: undefined, existed: true });
      names.set(contractId, name);
    }
    return names;
  }

  #freeName(base: string): string {
    const taken = new Set([...this.#contracts.values()].map(({ name }) => name));
    return freeName(base, taken);
  }

  /** Notes contracts of context keys. Another contract under a known key has opened since. */
  #noteKeys(keys: readonly ContextKey[]): void {
    for (const { key, name } of keys) {
      if (isPreapprovalKey(key)) continue;
      const known = this.#keys.get(key);
      if (known === undefined) this.#keys.set(key, [name]);
      else if (!known.includes(name)) {
        known.push(name);
        const opened = [...this.#contracts.values()].find((contract) => contract.name === name);
        if (opened !== undefined) opened.opensAfterMs = this.#timeline.openedMs();
      }
    }
  }

  #noteKind(call: Call, nth: number, requested: RequestedTransfer, keys: readonly ContextKey[]): void {
    const kind = textOf(objectOf(call.response)["transferKind"]);
    const { receiver } = requested;
    if (receiver === "" || receiver === requested.sender || (kind !== "direct" && kind !== "offer")) return;
    const isApproved = kind === "direct";
    const known = this.#receivers.get(receiver);
    const members = membersIn(keys);
    const timestamp = { on: call.operation.operationId, nth };
    const { place } = this.#timeline;
    if (this.#requested.size < receiversMax) this.#requested.set(receiver, requested);
    if (known === undefined) {
      const seen = { wasApproved: isApproved, isApproved, members, approvedBy: undefined };
      if (this.#receivers.size < receiversMax)
        this.#receivers.set(receiver, { ...seen, offeredAt: place, approvedAt: place });
      return;
    }
    if (!isApproved) known.offeredAt = place;
    if (known.isApproved === isApproved) return;
    known.isApproved = isApproved;
    if (!isApproved) this.#plan.push({ ...timestamp, archivePreapproval: receiver });
    else {
      known.members = members;
      known.approvedBy = timestamp;
      known.approvedAt = place;
    }
  }

  #noteNotExpressible(values: JsonObject, keys: readonly ContextKey[], names: DisclosedNames, factoryId: string): void {
    for (const key of Object.keys(values))
      if (!keys.some((known) => known.key === key))
        this.#notExpressible.add(`the context key ${key}, whose value names no disclosed contract`);
    for (const [contractId, name] of names)
      if (contractId !== factoryId && !keys.some((known) => known.name === name))
        this.#notExpressible.add(`the disclosure of ${name}, which no context key names`);
    if (!names.has(factoryId)) this.#notExpressible.add("the factory, which is not disclosed");
  }

  #noteInstrument({ id, name, symbol, decimals }: JsonObject): void {
    if (textOf(id) === "" || this.#instruments.size >= instrumentsMax) return;
    this.#instruments.set(textOf(id), withoutUndefined({ id, name, symbol, decimals }));
  }

  /** Notes the contract names that the control API of a stub shows. */
  #noteWorld(response: JsonObject): void {
    for (const { name, contractId } of objectsOf(response["contracts"])) {
      const known = this.#contracts.get(textOf(contractId));
      if (known !== undefined && known.name !== textOf(name)) this.#renamed.set(known.name, textOf(name));
      if (known === undefined && this.#contracts.size < contractsMax)
        this.#contracts.set(textOf(contractId), {
          name: textOf(name),
          json: {},
          synchronizerId: "",
          opensAfterMs: undefined,
          existed: false,
        });
    }
  }
}

function membersIn(keys: readonly ContextKey[]): JsonObject {
  return Object.fromEntries(
    Object.entries(preapprovalMembers).flatMap(([member, key]) =>
      keys.filter((candidate) => candidate.key === key).map(({ name }) => [member, name] as const),
    ),
  );
}

function transferOf({ body }: Call): JsonObject {
  return objectOf(objectOf(objectOf(body)["choiceArguments"])["transfer"]);
}

/** The first generation names parties, the second accounts. */
function requestedTransfer(call: Call): RequestedTransfer {
  const transfer = transferOf(call);
  const partyOf = (side: Json | undefined) => textOf(side) || textOf(objectOf(side)["owner"]);
  return {
    sender: partyOf(transfer["sender"]),
    receiver: partyOf(transfer["receiver"]),
    instrumentId: textOf(objectOf(transfer["instrumentId"])["id"]),
    amount: textOf(transfer["amount"]),
  };
}

function contractRow(
  { name, json, opensAfterMs, synchronizer }: SeenContract & { readonly synchronizer: string },
  startMs: number,
): JsonObject {
  const createdEventBlob = textOf(json["createdEventBlob"]);
  const created = decodeCreatedEventBlob(createdEventBlob);
  const debugCreatedAt = textOf(json["debugCreatedAt"]);
  return withoutUndefined({
    name,
    templateId: textOf(json["templateId"]),
    packageName: created?.packageName ?? (textOf(json["debugPackageName"]) || "unknown"),
    contractId: textOf(json["contractId"]) || undefined,
    createdAt: debugCreatedAt === "" ? isoOfMicros(created?.createdAtMicros ?? 0n) : debugCreatedAt,
    synchronizer,
    opensAt: opensAfterMs === undefined ? undefined : new Date(startMs + opensAfterMs).toISOString(),
    payload: isJsonObject(json["debugPayload"]) ? json["debugPayload"] : undefined,
    createdEventBlob: createdEventBlob || undefined,
  });
}

const latestMicros = 253_402_300_799_999_999n;

function isoOfMicros(micros: bigint): string {
  if (micros > latestMicros) return isoOfMicros(latestMicros);
  const seconds = new Date(Number(micros / 1000n)).toISOString().slice(0, "2026-01-01T00:00:00".length);
  return `${seconds}.${(micros % 1_000_000n).toString().padStart(6, "0")}Z`;
}

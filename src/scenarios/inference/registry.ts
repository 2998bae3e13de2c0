import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { listOf, objectOf, objectsOf, textOf, withoutUndefined } from "../../foundation/json/members.ts";
import { decodeCreatedEventBlob } from "../../foundation/protobuf/created-event-blob.ts";
import { instantOfMicros } from "../../simulator/daml/daml-json.ts";
import { freeName, kebab } from "./_names.ts";
import { activeOf, createdIn } from "./active-contracts.ts";
import { causeOf, type RecordedCall } from "./recorded-call.ts";
import type { SeenSynchronizers } from "./synchronizers.ts";

interface SeenContract {
  readonly name: string;
  /** The contract as the first lookup with debug members discloses it. */
  shown: JsonObject;
  /** The contract as a list of active contracts shows it: its created event, and where it is. */
  active?: JsonObject;
  /** Its synchronizer in the first lookup. */
  readonly synchronizerId: string;
}

interface ContextKey {
  readonly key: string;
  readonly name: string;
}

const contractsMax = 20_000;
const receiversMax = 100_000;
const instrumentsMax = 10_000;

/** Keys of the choice context that belong to a pre-approval, by member of the fixture's pre-approval. */
const preapprovalMembers = { contract: "transfer-preapproval", featuredAppRight: "featured-app-right" } as const;
const preapprovalKeys: readonly string[] = Object.values(preapprovalMembers);

const lookupOperations: ReadonlySet<string> = new Set(["getTransferFactory", "getTransferFactoryV1"]);

/** The initial registry, as lookups and metadata show it. */
export class SeenRegistry {
  readonly #contracts = new Map<string, SeenContract>();
  readonly #names = new Set<string>();
  /** The members of the pre-approval of each receiver; undefined for a receiver without one. */
  readonly #receivers = new Map<string, JsonObject | undefined>();
  readonly #instruments = new Map<string, JsonObject>();
  readonly #keys = new Map<string, string>();
  readonly #synchronizers: SeenSynchronizers;
  readonly #notExpressible = new Set<string>();
  #admin = "";
  #factory: { readonly name: string; readonly isFirst: boolean } | undefined;
  #areInstrumentsChecked = false;
  #missing = "";

  constructor(synchronizers: SeenSynchronizers) {
    this.#synchronizers = synchronizers;
  }

  note(call: RecordedCall): void {
    const { operation, status, body, response } = call;
    const json = objectOf(response);
    const on = operation.operationId;
    if (lookupOperations.has(on)) {
      if (status === 200 && objectOf(body)["choiceArguments"] !== undefined) this.#noteLookup(call);
      else if (status === 404) this.#noteMissing(call);
    } else if (status === 200) {
      if (on === "getRegistryInfo") this.#admin = textOf(json["adminId"]) || this.#admin;
      if (on === "getInstrument") this.#noteInstrument(json);
      if (on === "listInstruments") for (const shown of objectsOf(json["instruments"])) this.#noteInstrument(shown);
    }
  }

  /** Notes an entry of a list of active contracts, as of a contract that was there before all requests. */
  noteActive(entry: JsonObject): void {
    const [active, created] = [activeOf(entry), createdIn(entry)];
    const [contractId, templateId] = [textOf(created["contractId"]), textOf(created["templateId"])];
    if (contractId === "") {
      this.#notExpressible.add("contracts that are being reassigned");
      return;
    }
    if (!this.#contracts.has(contractId)) {
      const base = `${kebab(templateId.split(":").at(-1) ?? "")}-${contractId.slice(2, 10)}`;
      this.#add(contractId, base, { ...created, synchronizerId: active["synchronizerId"] ?? "" });
    }
    const known = this.#contracts.get(contractId);
    if (known !== undefined) known.active = active;
  }

  get notExpressible(): readonly string[] {
    return [...this.#notExpressible];
  }

  /** Whether a lookup succeeded. Without one the fixture has only placeholders. */
  get hasLookup(): boolean {
    return this.#factory !== undefined;
  }

  fixture(): JsonObject {
    const preapprovals = [...this.#receivers].flatMap(([receiver, members]) =>
      members === undefined ? [] : [{ receiver, ...members }],
    );
    const { name, isFirst = false } = this.#factory ?? {};
    const contracts = [...this.#contracts.values()];
    return withoutUndefined({
      admin: this.#admin || undefined,
      instrumentsChecked: this.#areInstrumentsChecked ? true : undefined,
      instruments: this.#instruments.size === 0 ? undefined : [...this.#instruments.values()],
      factory: withoutUndefined({
        contract: contracts.some((contract) => contract.name === name) ? name : undefined,
        missing: this.#missing || undefined,
        disclosed: isFirst ? "first" : "last",
        context: [...this.#keys].map(([key, contract]) => ({ key, contracts: [contract] })),
      }),
      preapprovals: preapprovals.length === 0 ? undefined : preapprovals,
      contracts: contracts.map(contractRow),
    });
  }

  #noteLookup(call: RecordedCall): void {
    const response = objectOf(call.response);
    const factoryId = textOf(response["factoryId"]);
    const context = objectOf(response["choiceContext"]);
    const values = objectOf(objectOf(context["choiceContextData"])["values"]);
    const disclosed = objectsOf(context["disclosedContracts"]);
    const { receiver, sender, instrument } = requestedTransfer(call);
    this.#admin ||= textOf(instrument["admin"]);
    if (!this.#instruments.has(textOf(instrument["id"]))) this.#noteInstrument({ id: instrument["id"] ?? "" });
    const names = this.#disclose(disclosed, values, receiver);
    const keys = contextKeysOf(values, names);
    for (const { key, name } of keys)
      if (!preapprovalKeys.includes(key) && !this.#keys.has(key)) this.#keys.set(key, name);
    this.#factory ??= {
      name: names.get(factoryId) ?? "",
      isFirst: disclosed.length > 1 && textOf(disclosed[0]?.["contractId"]) === factoryId,
    };
    const kind = textOf(response["transferKind"]);
    if (receiver !== "" && receiver !== sender && !this.#receivers.has(receiver) && this.#receivers.size < receiversMax)
      this.#receivers.set(receiver, kind === "direct" ? membersIn(keys) : undefined);
    this.#noteNotExpressible(values, keys, names, factoryId);
  }

  #noteMissing(call: RecordedCall): void {
    const cause = causeOf(call);
    if (/instrument/i.test(cause)) this.#areInstrumentsChecked = true;
    else if (isJsonObject(call.response)) this.#missing ||= cause;
  }

  /** The names of the disclosed contracts, by id: from the context key or the template. */
  #disclose(disclosed: readonly JsonObject[], values: JsonObject, receiver: string): ReadonlyMap<string, string> {
    const names = new Map<string, string>();
    for (const shown of disclosed) {
      const contractId = textOf(shown["contractId"]);
      const known = this.#contracts.get(contractId);
      if (known !== undefined && !isJsonObject(known.shown["debugPayload"])) known.shown = shown;
      const key = Object.entries(values).find(([, value]) => objectOf(value)["value"] === contractId)?.[0];
      const base =
        key === preapprovalMembers.contract
          ? `preapproval-${receiver.split("::")[0]}`
          : (key?.split("/").at(-1) ?? kebab(textOf(shown["templateId"]).split(":").at(-1) ?? "contract"));
      names.set(contractId, known?.name ?? this.#add(contractId, base, shown));
    }
    return names;
  }

  /** Adds a contract under a free name, and returns the name. */
  #add(contractId: string, base: string, shown: JsonObject): string {
    const name = freeName(base, this.#names);
    const synchronizerId = textOf(shown["synchronizerId"]);
    this.#synchronizers.mention(synchronizerId);
    if (this.#contracts.size >= contractsMax) this.#notExpressible.add(`contracts beyond ${contractsMax}`);
    else {
      this.#contracts.set(contractId, { name, shown, synchronizerId });
      this.#names.add(name);
    }
    return name;
  }

  #noteNotExpressible(
    values: JsonObject,
    keys: readonly ContextKey[],
    names: ReadonlyMap<string, string>,
    factoryId: string,
  ): void {
    for (const key of Object.keys(values))
      if (!keys.some((known) => known.key === key))
        this.#notExpressible.add(`the context key ${key}, whose value names no disclosed contract`);
    for (const [contractId, name] of names)
      if (contractId !== factoryId && !keys.some((known) => known.name === name))
        this.#notExpressible.add(`the disclosure of ${name}, which no context key names`);
    if (!names.has(factoryId)) this.#notExpressible.add("the factory, which is not disclosed");
  }

  #noteInstrument({ id, name, symbol, decimals, paused, pauseInfo }: JsonObject): void {
    if (textOf(id) === "" || this.#instruments.size >= instrumentsMax) return;
    this.#instruments.set(textOf(id), withoutUndefined({ id, name, symbol, decimals, paused, pauseInfo }));
  }
}

/** The keys that name a disclosed contract, in the order of disclosure. */
function contextKeysOf(values: JsonObject, names: ReadonlyMap<string, string>): readonly ContextKey[] {
  return [...names].flatMap(([contractId, name]) =>
    Object.entries(values)
      .filter(([, value]) => objectOf(value)["value"] === contractId)
      .map(([key]) => ({ key, name })),
  );
}

function membersIn(keys: readonly ContextKey[]): JsonObject {
  return Object.fromEntries(
    Object.entries(preapprovalMembers).flatMap(([member, key]) =>
      keys.filter((candidate) => candidate.key === key).map(({ name }) => [member, name] as const),
    ),
  );
}

/** The first generation names parties, the second accounts. */
function requestedTransfer({ body }: RecordedCall): {
  readonly sender: string;
  readonly receiver: string;
  readonly instrument: JsonObject;
} {
  const transfer = objectOf(objectOf(objectOf(body)["choiceArguments"])["transfer"]);
  const partyOf = (side: Json | undefined) => textOf(side) || textOf(objectOf(side)["owner"]);
  return {
    sender: partyOf(transfer["sender"]),
    receiver: partyOf(transfer["receiver"]),
    instrument: objectOf(transfer["instrumentId"]),
  };
}

/** The end of the year 9999. */
const latestMicros = 253_402_300_799_999_999n;

function contractRow({ name, shown, synchronizerId, active = {} }: SeenContract): JsonObject {
  const event = objectOf(active["createdEvent"]);
  const createdEventBlob = textOf(shown["createdEventBlob"]) || textOf(event["createdEventBlob"]);
  const created = decodeCreatedEventBlob(createdEventBlob);
  const createdAtMicros = created?.createdAtMicros ?? 0n;
  const debugCreatedAt = textOf(shown["debugCreatedAt"]) || textOf(event["createdAt"]);
  return withoutUndefined({
    name,
    templateId: textOf(shown["templateId"]),
    packageName:
      created?.packageName ?? (textOf(event["packageName"]) || textOf(shown["debugPackageName"]) || "unknown"),
    contractId: textOf(shown["contractId"]) || undefined,
    createdAt: debugCreatedAt || instantOfMicros(createdAtMicros < latestMicros ? createdAtMicros : latestMicros),
    synchronizer: synchronizerId,
    payload: [event["createArgument"], shown["debugPayload"]].find(isJsonObject),
    createdEventBlob: createdEventBlob || undefined,
    signatories: event["signatories"],
    observers: listOf(event["observers"]).length === 0 ? undefined : event["observers"],
    reassignmentCounter: Number(active["reassignmentCounter"] ?? 0) || undefined,
  });
}

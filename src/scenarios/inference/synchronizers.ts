import { type Json, type JsonObject, textOfJson } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, withoutUndefined } from "../../foundation/json/members.ts";
import { decodePreparedTransaction } from "../../foundation/protobuf/prepared-transaction.ts";
import { freeName } from "./_names.ts";
import { type Call, causeOf } from "./call.ts";
import type { SeenPackages } from "./packages.ts";

interface SeenSynchronizer {
  id: string;
  alias: string;
  protocolVersion: number | undefined;
  wasConnected: boolean | undefined;
  isConnected: boolean | undefined;
  /** The initially vetted packages; undefined if unknown. */
  vetted: readonly JsonObject[] | undefined;
  topologySerial: number;
  isVettingChanged: boolean;
  /** Whether it is generated because no response names it. */
  isPlaceholder: boolean;
}

/** The time of a change: before the nth call of an operation. */
interface Trigger {
  readonly on: string;
  readonly nth: number;
}

const synchronizersMax = 1000;
const synchronizerId = /^([^:]+::[^:]+)(?:::(\d+)-\d+)?$/;

/** The initial synchronizers, their vetted packages, and connections that change without a request. */
export class SeenSynchronizers {
  readonly #synchronizers = new Map<string, SeenSynchronizer>();
  readonly #plan: { readonly trigger: Trigger; readonly isConnected: boolean; readonly of: SeenSynchronizer }[] = [];
  readonly #packages: SeenPackages;
  /** Whether a request without a synchronizer succeeded: then exactly one was connected. */
  #wasOnlyOne = false;

  constructor(packages: SeenPackages) {
    this.#packages = packages;
  }

  note(call: Call, nth: number): void {
    const { operation, status, response, body } = call;
    const trigger = { on: operation.operationId, nth };
    switch (operation.operationId) {
      case "getV2StateConnected-synchronizers":
        if (status === 200) this.#noteConnected(call, trigger);
        return;
      case "postV2Package-vetting":
      case "postV2Package-vettingUpdate":
      case "postPackage-vettingUpdate":
        this.#noteVetting(call, trigger);
        return;
      case "getV2Package-vetting":
      case "postV2Package-vettingList":
        if (status === 200)
          for (const shown of objectsOf(objectOf(response)["vettedPackages"])) this.#show(shown, call);
        return;
      case "postV2PartiesExternalAllocate":
      case "postV2PartiesExternalGenerate-topology":
        if (status === 200 || hasFoundSynchronizer(call))
          this.#assert(textOf(objectOf(body)["synchronizer"]), true, trigger);
        return;
      case "postV2Interactive-submissionPrepare":
        if (status === 200) this.#notePrepared(textOf(objectOf(response)["preparedTransaction"]), trigger);
        return;
      default:
    }
  }

  /** Notes a synchronizer by its id; returns the id without protocol version, or undefined if the text is not an id. */
  mention(text: string): string | undefined {
    return this.#named(text)?.id;
  }

  /** Notes the alias of a synchronizer. */
  noteAlias(id: string, alias: string): void {
    const seen = this.#named(id);
    if (seen !== undefined) seen.alias ||= alias;
  }

  /** Removes a guessed alias. */
  withdrawAlias(id: string): void {
    const seen = this.#named(id);
    if (seen !== undefined) seen.alias = "";
  }

  /** The id of the synchronizer with this alias, else of one without an alias, else of a generated one. */
  idOfAlias(alias: string): string {
    const all = [...this.#synchronizers.values()];
    const found = all.find((seen) => seen.alias === alias) ?? all.find((seen) => seen.alias === "");
    return (found ?? this.#addPlaceholder()).id;
  }

  /** The alias in the fixture. Default: the first part of the id. */
  aliasOf(id: string): string {
    return this.#aliases().get(id) ?? "";
  }

  /** Generates a synchronizer if the recording names none; returns whether all are generated. */
  ensureOne(): boolean {
    if (this.#synchronizers.size === 0) this.#addPlaceholder();
    return [...this.#synchronizers.values()].every(({ isPlaceholder }) => isPlaceholder);
  }

  /** A synchronizer other than this one, generated if the recording names no other. */
  otherThan(id: string): string {
    const other = [...this.#synchronizers.keys()].find((known) => known !== id);
    return other ?? this.#addPlaceholder().id;
  }

  plan(): readonly JsonObject[] {
    const aliases = this.#aliases();
    return this.#plan.map(({ trigger, isConnected, of }) => ({
      ...trigger,
      [isConnected ? "connect" : "disconnect"]: aliases.get(of.id) ?? "",
    }));
  }

  rows(): readonly JsonObject[] {
    const aliases = this.#aliases();
    return [...this.#synchronizers.values()].map((seen) => rowOf(seen, aliases.get(seen.id) ?? "", this.#wasOnlyOne));
  }

  #aliases(): ReadonlyMap<string, string> {
    const aliases = new Map<string, string>();
    const taken = new Set<string>();
    const all = [...this.#synchronizers.values()];
    for (const { id, alias } of all)
      if (alias !== "" && !taken.has(alias)) {
        aliases.set(id, alias);
        taken.add(alias);
      }
    for (const { id } of all) {
      if (aliases.has(id)) continue;
      const name = freeName(id.split("::")[0] ?? "synchronizer", taken);
      taken.add(name);
      aliases.set(id, name);
    }
    return aliases;
  }

  #named(text: string): SeenSynchronizer | undefined {
    const [, id, version] = synchronizerId.exec(text) ?? [];
    if (id === undefined) return undefined;
    const seen = this.#synchronizers.get(id) ?? this.#add(id, false);
    if (version !== undefined && seen !== undefined) seen.protocolVersion ??= Number(version);
    return seen;
  }

  #add(id: string, isPlaceholder: boolean): SeenSynchronizer | undefined {
    if (this.#synchronizers.size >= synchronizersMax) return undefined;
    const placeholder = [...this.#synchronizers.values()].find(
      (seen) => seen.isPlaceholder && seen.isConnected === true,
    );
    if (placeholder !== undefined && !isPlaceholder) {
      this.#synchronizers.delete(placeholder.id);
      placeholder.id = id;
      placeholder.isPlaceholder = false;
      this.#synchronizers.set(id, placeholder);
      return placeholder;
    }
    const seen: SeenSynchronizer = {
      id,
      alias: "",
      protocolVersion: undefined,
      wasConnected: undefined,
      isConnected: undefined,
      vetted: undefined,
      topologySerial: 0,
      isVettingChanged: false,
      isPlaceholder,
    };
    this.#synchronizers.set(id, seen);
    return seen;
  }

  #addPlaceholder(): SeenSynchronizer {
    const number = this.#synchronizers.size + 1;
    const id = `synchronizer-${number}::1220${String(number).padStart(64, "0")}`;
    const added = this.#add(id, true);
    if (added === undefined) throw new Error("invariant: there is room for a synchronizer that stands for another");
    return added;
  }

  #assert(text: string, isConnected: boolean, trigger: Trigger): void {
    const seen = this.#named(text);
    if (seen !== undefined) this.#set(seen, isConnected, trigger);
  }

  #set(seen: SeenSynchronizer, isConnected: boolean, trigger: Trigger): void {
    seen.wasConnected ??= isConnected;
    seen.isConnected ??= isConnected;
    if (seen.isConnected === isConnected) return;
    seen.isConnected = isConnected;
    this.#plan.push({ trigger, isConnected, of: seen });
  }

  #noteConnected({ query, response }: Call, trigger: Trigger): void {
    const shown = objectsOf(objectOf(response)["connectedSynchronizers"]);
    for (const entry of shown) {
      this.noteAlias(textOf(entry["synchronizerId"]), textOf(entry["synchronizerAlias"]));
      this.#assert(textOf(entry["synchronizerId"]), true, trigger);
    }
    if (query.some(([name]) => name === "party" || name === "participantId")) return;
    const ids = new Set(shown.map((entry) => this.mention(textOf(entry["synchronizerId"]))));
    for (const seen of this.#synchronizers.values()) if (!ids.has(seen.id)) this.#set(seen, false, trigger);
  }

  #noteVetting(call: Call, trigger: Trigger): void {
    const { body, response, status, errorCode } = call;
    const requested = textOf(objectOf(body)["synchronizerId"]);
    if (errorCode === "PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER") this.#noteSeveral(call, trigger);
    if (errorCode === "PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER" && this.#synchronizers.has(requested))
      this.#assert(requested, false, trigger);
    if (connectedCodes.test(errorCode)) {
      if (requested !== "") this.#assert(requested, true, trigger);
      this.#noteSerial(requested, call);
    }
    if (status !== 200) return;
    const { pastVettedPackages, newVettedPackages } = objectOf(response);
    const [past, next] = [objectOf(pastVettedPackages), objectOf(newVettedPackages)];
    const id = textOf(next["synchronizerId"]) || textOf(past["synchronizerId"]) || requested;
    const seen = this.#named(id);
    if (seen === undefined) return;
    this.#set(seen, true, trigger);
    if (requested === "") {
      this.#wasOnlyOne = true;
      for (const other of this.#synchronizers.values()) if (other !== seen) this.#set(other, false, trigger);
    }
    this.#learn(seen, past);
    for (const row of objectsOf(next["packages"])) this.#packages.noteVetted(row);
    const isChanged = textOfJson(next["topologySerial"] ?? "") !== textOfJson(past["topologySerial"] ?? "");
    if (isChanged && objectOf(body)["dryRun"] !== true) seen.isVettingChanged = true;
  }

  /** The error names the actual serial as text: Some(3), or None. */
  #noteSerial(requested: string, { errorCode, response }: Call): void {
    const seen = this.#named(requested);
    const actual = textOf(objectOf(objectOf(response)["context"])["actual"]);
    if (errorCode !== "TOPOLOGY_SERIAL_MISMATCH" || seen === undefined || actual === "") return;
    if (seen.vetted === undefined && !seen.isVettingChanged) seen.topologySerial = Number(/\d+/.exec(actual)?.[0] ?? 0);
  }

  /** Notes that the node could not choose a synchronizer: several are connected. */
  #noteSeveral({ response }: Call, trigger: Trigger): void {
    const context = objectOf(objectOf(response)["context"]);
    const named = Object.values(context).flatMap((value) => textOf(value).match(/[\w.-]+::[\w]+/g) ?? []);
    for (const id of named) if (id.startsWith("PAR::") === false) this.#assert(id, true, trigger);
    for (const seen of this.#synchronizers.values()) if (seen.isConnected === undefined) this.#set(seen, true, trigger);
    while ([...this.#synchronizers.values()].filter(({ isConnected }) => isConnected === true).length < 2)
      this.#set(this.#addPlaceholder(), true, trigger);
  }

  #show(shown: JsonObject, { body }: Call): void {
    const seen = this.#named(textOf(shown["synchronizerId"]));
    const filter = objectOf(objectOf(body)["packageMetadataFilter"]);
    const isWhole = Object.values(filter).every((value) => Array.isArray(value) && value.length === 0);
    if (seen !== undefined && isWhole) this.#learn(seen, shown);
    else for (const row of objectsOf(shown["packages"])) this.#packages.noteVetted(row);
  }

  #learn(seen: SeenSynchronizer, shown: JsonObject): void {
    for (const row of objectsOf(shown["packages"])) this.#packages.noteVetted(row);
    if (seen.vetted !== undefined || seen.isVettingChanged) return;
    seen.vetted = objectsOf(shown["packages"]);
    seen.topologySerial = Number(shown["topologySerial"] ?? 0) || 0;
  }

  #notePrepared(preparedTransaction: string, trigger: Trigger): void {
    const metadata = decodePreparedTransaction(preparedTransaction)?.metadata;
    if (metadata !== undefined) this.#assert(metadata.synchronizerId, true, trigger);
  }
}

/** Errors that follow only after the synchronizer is found. */
const connectedCodes = /^(?:TOPOLOGY_|UNRESOLVED_VETTING|AMBIGUOUS_VETTING|KNOWN_PACKAGE|NOT_VALID_UPGRADE)/;

/** Whether an onboarding failed after its synchronizer was found. */
function hasFoundSynchronizer(call: Call): boolean {
  return call.status === 400 && call.errorCode !== "" && !/synchronizer/i.test(causeOf(call));
}

function rowOf(seen: SeenSynchronizer, alias: string, wasOnlyOne: boolean): JsonObject {
  const vetted = (seen.vetted ?? []).map(vettedRow);
  const isConnected = seen.wasConnected ?? !wasOnlyOne;
  const serialDefault = vetted.length > 0 ? 1 : 0;
  return withoutUndefined({
    alias,
    id: seen.id,
    protocolVersion: seen.protocolVersion,
    connected: isConnected ? undefined : false,
    vettedPackages: vetted.length === 0 ? undefined : vetted,
    topologySerial: seen.topologySerial === serialDefault ? undefined : seen.topologySerial,
  });
}

/** Vetted packages: each a package id, or an object with a validity period. */
function vettedRow(row: JsonObject): Json {
  const id = textOf(row["packageId"]);
  const [validFrom, validUntil] = [textOf(row["validFromInclusive"]), textOf(row["validUntilExclusive"])];
  if (validFrom === "" && validUntil === "") return id;
  return withoutUndefined({ id, validFrom: validFrom || undefined, validUntil: validUntil || undefined });
}

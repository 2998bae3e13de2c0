import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, withoutUndefined } from "../../foundation/json/members.ts";
import { decodePreparedTransaction } from "../../foundation/protobuf/prepared-transaction.ts";
import { freeName } from "./_names.ts";
import type { Call } from "./call.ts";
import type { SeenPackages } from "./packages.ts";

interface SeenSynchronizer {
  readonly id: string;
  alias: string;
  protocolVersion: number | undefined;
  /** Whether it was connected initially; undefined if no response shows it. */
  wasConnected: boolean | undefined;
  /** The initially vetted packages, in a response; undefined if unknown. */
  vetted: JsonObject | undefined;
}

const synchronizersMax = 1000;
const synchronizerId = /^([^:]+::[^:]+)(?:::(\d+)-\d+)?$/;
const placeholderId = `synchronizer-1::1220${"1".padStart(64, "0")}`;

/** The initial synchronizers with their vetted packages, as responses show them. */
export class SeenSynchronizers {
  readonly #synchronizers = new Map<string, SeenSynchronizer>();
  readonly #packages: SeenPackages;

  constructor(packages: SeenPackages) {
    this.#packages = packages;
  }

  note({ operation, query, status, response, body }: Call): void {
    if (status !== 200) return;
    const json = objectOf(response);
    switch (operation.operationId) {
      case "getV2StateConnected-synchronizers":
        this.#noteConnected(objectsOf(json["connectedSynchronizers"]), query.length === 0);
        return;
      case "postV2Package-vetting":
      case "postV2Package-vettingUpdate":
      case "postPackage-vettingUpdate":
        this.#noteVetting(objectOf(json["pastVettedPackages"]), objectOf(json["newVettedPackages"]));
        return;
      case "getV2Package-vetting":
      case "postV2Package-vettingList": {
        const isWhole = Object.values(objectOf(objectOf(body)["packageMetadataFilter"])).flat().length === 0;
        for (const shown of objectsOf(json["vettedPackages"])) this.#show(shown, isWhole);
        return;
      }
      case "postV2PartiesExternalAllocate":
      case "postV2PartiesExternalGenerate-topology":
        this.#connected(textOf(objectOf(body)["synchronizer"]));
        return;
      case "postV2Interactive-submissionPrepare": {
        const prepared = decodePreparedTransaction(textOf(json["preparedTransaction"]));
        if (prepared === undefined) return;
        this.#packages.notePrepared(prepared);
        this.#connected(prepared.metadata?.synchronizerId ?? "");
        return;
      }
      default:
    }
  }

  /** Notes a synchronizer by its id. Returns undefined if the text is not an id. */
  mention(text: string): SeenSynchronizer | undefined {
    const [, id, version] = synchronizerId.exec(text) ?? [];
    if (id === undefined) return undefined;
    const known = this.#synchronizers.get(id);
    const seen = known ?? { id, alias: "", protocolVersion: undefined, wasConnected: undefined, vetted: undefined };
    if (known === undefined && this.#synchronizers.size < synchronizersMax) this.#synchronizers.set(id, seen);
    if (version !== undefined) seen.protocolVersion ??= Number(version);
    return seen;
  }

  /** Generates a synchronizer if the recording names none. */
  ensureOne(): void {
    if (this.#synchronizers.size === 0) this.mention(placeholderId);
  }

  /** The alias in the fixture, by id. Default: the first part of the id. */
  aliases(): ReadonlyMap<string, string> {
    const taken = new Set([...this.#synchronizers.values()].map(({ alias }) => alias));
    const aliases = new Map<string, string>();
    for (const { id, alias } of this.#synchronizers.values()) {
      const name = alias || freeName(id.split("::")[0] ?? "synchronizer", taken);
      taken.add(name);
      aliases.set(id, name);
    }
    return aliases;
  }

  rows(): readonly JsonObject[] {
    const aliases = this.aliases();
    return [...this.#synchronizers.values()].map((seen) => rowOf(seen, aliases.get(seen.id) ?? ""));
  }

  #connected(text: string): void {
    const seen = this.mention(text);
    if (seen !== undefined) seen.wasConnected ??= true;
  }

  #noteConnected(shown: readonly JsonObject[], isWhole: boolean): void {
    for (const entry of shown) {
      const seen = this.mention(textOf(entry["synchronizerId"]));
      if (seen === undefined) continue;
      seen.alias ||= textOf(entry["synchronizerAlias"]);
      seen.wasConnected ??= true;
    }
    if (isWhole) for (const seen of this.#synchronizers.values()) seen.wasConnected ??= false;
  }

  #noteVetting(past: JsonObject, next: JsonObject): void {
    this.#show({ ...past, synchronizerId: past["synchronizerId"] ?? next["synchronizerId"] ?? "" }, true);
    this.#connected(textOf(next["synchronizerId"]));
    for (const row of objectsOf(next["packages"])) this.#packages.noteVetted(row);
  }

  #show(shown: JsonObject, isWhole: boolean): void {
    for (const row of objectsOf(shown["packages"])) this.#packages.noteVetted(row);
    const seen = this.mention(textOf(shown["synchronizerId"]));
    if (isWhole && seen !== undefined) seen.vetted ??= shown;
  }
}

function rowOf({ id, protocolVersion, wasConnected, vetted = {} }: SeenSynchronizer, alias: string): JsonObject {
  const vettedPackages = objectsOf(vetted["packages"]).map(vettedRow);
  const topologySerial = Number(vetted["topologySerial"] ?? 0) || 0;
  return withoutUndefined({
    alias,
    id,
    protocolVersion,
    connected: wasConnected === false ? false : undefined,
    vettedPackages: vettedPackages.length === 0 ? undefined : vettedPackages,
    topologySerial: topologySerial === (vettedPackages.length > 0 ? 1 : 0) ? undefined : topologySerial,
  });
}

/** Vetted packages: each a package id, or an object with a validity period. */
function vettedRow(row: JsonObject): Json {
  const id = textOf(row["packageId"]);
  const [validFrom, validUntil] = [textOf(row["validFromInclusive"]), textOf(row["validUntilExclusive"])];
  if (validFrom === "" && validUntil === "") return id;
  return withoutUndefined({ id, validFrom: validFrom || undefined, validUntil: validUntil || undefined });
}

import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, withoutUndefined } from "../../foundation/json/members.ts";
import { decodePreparedTransaction } from "../../foundation/protobuf/prepared-transaction.ts";
import { freeName } from "./_names.ts";
import type { SeenPackages } from "./packages.ts";
import type { RecordedCall } from "./recorded-call.ts";
import { SeenEntities, type SeenEntity } from "./seen-entities.ts";

const synchronizerId = /^([^:]+::[^:]+)(?:::(\d+)-\d+)?$/;
const placeholderId = `synchronizer-1::1220${"1".padStart(64, "0")}`;

/** The initial synchronizers with their vetted packages, as responses show them. */
export class SeenSynchronizers {
  readonly #synchronizers = new SeenEntities();
  readonly #packages: SeenPackages;
  /** Whether a listing showed all connected ones. */
  #isListed = false;

  constructor(packages: SeenPackages) {
    this.#packages = packages;
  }

  note({ operation, query, status, response, body }: RecordedCall): void {
    if (status !== 200) return;
    const json = objectOf(response);
    switch (operation.operationId) {
      case "getV2StateConnected-synchronizers":
        for (const { synchronizerId: id, synchronizerAlias } of objectsOf(json["connectedSynchronizers"]))
          this.#connected(textOf(id))?.show("alias", textOf(synchronizerAlias) || undefined);
        if (query.length === 0) this.#isListed = true;
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
  mention(text: string): SeenEntity | undefined {
    const [, id, version] = synchronizerId.exec(text) ?? [];
    if (id === undefined) return undefined;
    const seen = this.#synchronizers.of(id);
    if (version !== undefined) seen.show("protocolVersion", Number(version));
    return seen;
  }

  /** The rows of the fixture. `isNeeded` generates one if the recording names none. */
  rows(isNeeded: boolean): readonly JsonObject[] {
    const named = this.#synchronizers.rows((id, members) => this.#rowOf(id, members));
    const rows = named.length === 0 && isNeeded ? [{ id: placeholderId }] : named;
    const taken = new Set(rows.map(({ alias }) => textOf(alias)));
    return rows.map((row) => {
      const alias = textOf(row["alias"]) || freeName(textOf(row["id"]).split("::")[0] ?? "synchronizer", taken);
      taken.add(alias);
      return { alias, ...row };
    });
  }

  #connected(text: string): SeenEntity | undefined {
    const seen = this.mention(text);
    seen?.show("isConnected", true);
    return seen;
  }

  #noteVetting(past: JsonObject, next: JsonObject): void {
    this.#show({ ...past, synchronizerId: past["synchronizerId"] ?? next["synchronizerId"] ?? "" }, true);
    this.#connected(textOf(next["synchronizerId"]));
    for (const row of objectsOf(next["packages"])) this.#packages.noteVetted(row);
  }

  #show(shown: JsonObject, isWhole: boolean): void {
    for (const row of objectsOf(shown["packages"])) this.#packages.noteVetted(row);
    const seen = this.mention(textOf(shown["synchronizerId"]));
    if (isWhole) seen?.show("vetted", shown);
  }

  #rowOf(id: string, members: ReadonlyMap<string, Json>): JsonObject {
    const vetted = objectOf(members.get("vetted"));
    const vettedPackages = objectsOf(vetted["packages"]).map(vettedRow);
    const topologySerial = Number(vetted["topologySerial"] ?? 0) || 0;
    return withoutUndefined({
      alias: members.get("alias"),
      id,
      protocolVersion: members.get("protocolVersion"),
      connected: this.#isListed && !members.has("isConnected") ? false : undefined,
      vettedPackages: vettedPackages.length === 0 ? undefined : vettedPackages,
      topologySerial: topologySerial === (vettedPackages.length > 0 ? 1 : 0) ? undefined : topologySerial,
    });
  }
}

/** Vetted packages: each a package id, or an object with a validity period. */
function vettedRow(row: JsonObject): Json {
  const id = textOf(row["packageId"]);
  const [validFrom, validUntil] = [textOf(row["validFromInclusive"]), textOf(row["validUntilExclusive"])];
  if (validFrom === "" && validUntil === "") return id;
  return withoutUndefined({ id, validFrom: validFrom || undefined, validUntil: validUntil || undefined });
}

import type { JsonObject } from "../../foundation/json/json.ts";
import { listOf, objectOf, textOf } from "../../foundation/json/members.ts";
import type { PreparedTransaction } from "../../foundation/protobuf/prepared-transaction.ts";
import type { Call } from "./call.ts";

interface SeenPackage {
  readonly wasUploaded: boolean;
  name: string;
  version: string;
}

/** Limit of packages in one recording. */
const packagesMax = 20_000;
const idLengthShown = 8;

/** The initial packages, as responses show them. */
export class SeenPackages {
  readonly #packages = new Map<string, SeenPackage>();

  note({ operation, path, status, response }: Call): void {
    if (status !== 200) return;
    const { packageIds, packageStatus } = objectOf(response);
    if (operation.operationId === "getV2Packages") for (const id of listOf(packageIds)) this.#package(textOf(id), true);
    if (operation.operationId === "getV2PackagesPackage-idStatus")
      this.#package(path["package-id"] ?? "", packageStatus === "PACKAGE_STATUS_REGISTERED");
  }

  /** Notes the name and version in a row of vetted packages. */
  noteVetted(row: JsonObject): void {
    const seen = this.#package(textOf(row["packageId"]), true);
    seen.name ||= textOf(row["packageName"]);
    seen.version ||= textOf(row["packageVersion"]);
  }

  /** Notes the packages of the templates in a prepared transaction. */
  notePrepared({ transaction }: PreparedTransaction): void {
    for (const node of transaction?.nodes.values() ?? [])
      if (node.type !== "rollback") this.#package(node.templateId.split(":")[0] ?? "", true).name ||= node.packageName;
  }

  rows(): readonly JsonObject[] {
    return [...this.#packages]
      .filter(([id, { wasUploaded }]) => wasUploaded && id !== "")
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([id, { name, version }]) => ({
        id,
        name: name || `package-${id.slice(0, idLengthShown)}`,
        version: version || "0.0.0",
      }));
  }

  #package(id: string, wasUploaded: boolean): SeenPackage {
    const known = this.#packages.get(id);
    if (known !== undefined) return known;
    const seen = { wasUploaded, name: "", version: "" };
    if (this.#packages.size < packagesMax) this.#packages.set(id, seen);
    return seen;
  }
}

import type { JsonObject } from "../../foundation/json/json.ts";
import { listOf, objectOf, textOf } from "../../foundation/json/members.ts";
import type { PreparedTransaction } from "../../foundation/protobuf/prepared-transaction.ts";
import type { RecordedCall } from "./recorded-call.ts";
import { SeenEntities } from "./seen-entities.ts";

const idLengthShown = 8;

/** The initial packages, as responses show them. */
export class SeenPackages {
  readonly #packages = new SeenEntities();

  note({ operation, path, status, response }: RecordedCall): void {
    if (status !== 200) return;
    const { packageIds, packageStatus } = objectOf(response);
    if (operation.operationId === "getV2Packages") for (const id of listOf(packageIds)) this.#packages.of(textOf(id));
    if (operation.operationId === "getV2PackagesPackage-idStatus")
      this.#packages.of(path["package-id"] ?? "", packageStatus === "PACKAGE_STATUS_REGISTERED");
  }

  /** Notes the name and version in a row of vetted packages. */
  noteVetted(row: JsonObject): void {
    const seen = this.#packages.of(textOf(row["packageId"]));
    seen.show("name", textOf(row["packageName"]) || undefined);
    seen.show("version", textOf(row["packageVersion"]) || undefined);
  }

  /** Notes the package of a contract. */
  noteContract(created: JsonObject): void {
    const seen = this.#packages.of(textOf(created["templateId"]).split(":")[0] ?? "");
    seen.show("name", textOf(created["packageName"]) || undefined);
  }

  /** Notes the packages of the templates in a prepared transaction. */
  notePrepared({ transaction }: PreparedTransaction): void {
    for (const node of transaction?.nodes.values() ?? [])
      if (node.type !== "rollback")
        this.#packages.of(node.templateId.split(":")[0] ?? "").show("name", node.packageName || undefined);
  }

  /** How many packages no response names: they have a placeholder. */
  get unnamed(): number {
    return this.#packages.rows((_, members) => ({ named: members.has("version") })).filter(({ named }) => !named)
      .length;
  }

  rows(): readonly JsonObject[] {
    return this.#packages.rows((id, members) => ({
      id,
      name: members.get("name") ?? `package-${id.slice(0, idLengthShown)}`,
      version: members.get("version") ?? "0.0.0",
    }));
  }
}

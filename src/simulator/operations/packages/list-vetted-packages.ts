import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, textOf, textsOf } from "../../../foundation/json/members.ts";
import type { LedgerState, Synchronizer, VettedPackage } from "../../ledger/ledger-state.ts";
import { integerOf } from "../_json-members.ts";
import { requestedPage, vettedPackagesPageSizeMax } from "../_page.ts";
import { pageTokenAfter } from "../_page-token.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { vettedPackagesJson } from "./_vetted-packages-json.ts";

/** `POST /v2/package-vetting/list`, and the deprecated `GET /v2/package-vetting` with its body (Canton 3.5, JsPackageService.scala). */
export const listVettedPackages: Operation = {
  operationId: "postV2Package-vettingList",
  aliases: ["getV2Package-vetting"],
  perform: list,
};

/** The unit of a page is a synchronizer. An empty filter matches everything. */
function list({ body }: Call, { ledger }: WorldView): OperationResult {
  const limits = { sizeDefault: vettedPackagesPageSizeMax, sizeMax: vettedPackagesPageSizeMax };
  const requested = requestedPage(Number(integerOf(body["pageSize"]) ?? 0n), textOf(body["pageToken"]), limits);
  if (requested.type !== "page") return requested;
  const { lastId, size } = requested;
  const rows = [...ledger.synchronizers.entries(lastId)]
    .filter(([id, synchronizer]) => id !== lastId && isListed(synchronizer, body, ledger))
    .map(([, synchronizer]) => synchronizer);
  const page = rows.slice(0, size);
  const vettedPackages = page.map((synchronizer) =>
    vettedPackagesJson(ledger, { ...synchronizer, vetted: matching(synchronizer, body, ledger) }),
  );
  const nextPageToken = rows.length > size ? pageTokenAfter(page.at(-1)?.id ?? "") : "";
  return { type: "succeeded", body: { vettedPackages, nextPageToken }, changes: [] };
}

function isListed(synchronizer: Synchronizer, body: JsonObject, ledger: LedgerState): boolean {
  const filter = objectOf(body["topologyStateFilter"]);
  const [participants, synchronizers] = [textsOf(filter["participantIds"]), textsOf(filter["synchronizerIds"])];
  return (
    synchronizer.isConnected &&
    synchronizer.topologySerial > 0 &&
    (participants.length === 0 || participants.includes(ledger.participantId)) &&
    (synchronizers.length === 0 || synchronizers.includes(synchronizer.id)) &&
    matching(synchronizer, body, ledger).size > 0
  );
}

/** The vetted packages that the filter names, by id. */
function matching({ vetted }: Synchronizer, body: JsonObject, ledger: LedgerState): ReadonlyMap<string, VettedPackage> {
  const filter = objectOf(body["packageMetadataFilter"]);
  const [ids, prefixes] = [textsOf(filter["packageIds"]), textsOf(filter["packageNamePrefixes"])];
  if (ids.length === 0 && prefixes.length === 0) return vetted;
  const isNamed = (id: string) => {
    const name = ledger.packages.get(id)?.name ?? "";
    return ids.includes(id) || prefixes.some((prefix) => name.startsWith(prefix));
  };
  return new Map([...vetted].filter(([id]) => isNamed(id)));
}

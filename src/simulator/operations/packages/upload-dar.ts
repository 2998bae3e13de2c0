import type { LedgerChange } from "../../ledger/ledger-change.ts";
import { isParticipantAdministrator } from "../_user-administrator.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { uploadedPackages, vettingOf } from "./_uploaded-packages.ts";

/** `POST /v2/dars`, and the same under its earlier path `POST /v2/packages`: stores the packages of a DAR, and vets them (Canton 3.5, JsPackageService.scala). */
export const uploadDar: Operation = {
  operationId: "postV2Dars",
  aliases: ["postV2Packages"],
  mayCall: ({ caller }) => isParticipantAdministrator(caller),
  perform: upload,
};

function upload(call: Call, world: WorldView): OperationResult {
  const uploaded = uploadedPackages(call, world);
  if (uploaded.type !== "uploaded") return uploaded;
  const changes: LedgerChange[] = uploaded.added.map((row) => ({ type: "package-uploaded", package: row }));
  if (call.query["vetAllPackages"] === false) return { type: "succeeded", body: {}, changes };
  const vetting = vettingOf(uploaded, call);
  if (vetting.type !== "vetting") return vetting;
  const { synchronizer, next } = vetting;
  if (next.size > synchronizer.vetted.size)
    changes.push({ type: "packages-vetted", synchronizerId: synchronizer.id, vetted: [...next.values()] });
  return { type: "succeeded", body: {}, changes };
}

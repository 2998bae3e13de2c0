import { unpackArchive } from "../../../daml/archives/packed-archive.ts";
import { packageIdProblem } from "../_identifier-problem.ts";
import type { Operation } from "../operation.ts";
import { invalidArgument, nodeError } from "../refusal.ts";

/** `GET /v2/packages/{package-id}`: the payload of an uploaded archive (Canton 3.5, JsPackageService.scala). */
export const getPackage: Operation = {
  operationId: "getV2PackagesPackage-id",
  perform({ path }, { ledger }) {
    const packageId = path["package-id"] ?? "";
    const misnamed = packageIdProblem(packageId);
    if (misnamed !== undefined) return invalidArgument(misnamed);
    const known = ledger.packages.get(packageId);
    if (known?.isUploaded !== true || known.archive === undefined)
      return nodeError("PACKAGE_NOT_FOUND", "Could not find package.", { resources: [["PACKAGE", packageId]] });
    const headers = [["Canton-Package-Hash", packageId]] as const;
    return { type: "bytes", bytes: unpackArchive(known.archive).payload, headers };
  },
};

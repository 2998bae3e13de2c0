import { packageIdProblem } from "../_identifier-problem.ts";
import type { Operation } from "../operation.ts";
import { invalidArgument } from "../refusal.ts";

/** `GET /v2/packages/{package-id}/status`: an unknown package has a status, too (Canton 3.5, PackageServiceIT). */
export const getPackageStatus: Operation = {
  operationId: "getV2PackagesPackage-idStatus",
  perform({ path }, { ledger }) {
    const packageId = path["package-id"] ?? "";
    const misnamed = packageIdProblem(packageId);
    if (misnamed !== undefined) return invalidArgument(misnamed);
    const packageStatus = ledger.packages.get(packageId)?.isUploaded
      ? "PACKAGE_STATUS_REGISTERED"
      : "PACKAGE_STATUS_UNSPECIFIED";
    return { type: "succeeded", body: { packageStatus }, changes: [] };
  },
};

import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import type { Operation } from "../operation.ts";
import { nodeError } from "../refusal.ts";

/** `GET /v2/packages/{package-id}/status`: an unknown package has a status, too (Canton 3.5, PackageServiceIT). */
export const getPackageStatus: Operation = {
  operationId: "getV2PackagesPackage-idStatus",
  perform({ path }, { ledger }) {
    const packageId = path["package-id"] ?? "";
    if (!isIdentifier("packageId", packageId)) {
      return nodeError(
        "INVALID_ARGUMENT",
        `The submitted request has invalid arguments: package_id ${JSON.stringify(packageId)} is not a package id`,
      );
    }
    const packageStatus = ledger.packages.get(packageId)?.isUploaded
      ? "PACKAGE_STATUS_REGISTERED"
      : "PACKAGE_STATUS_UNSPECIFIED";
    return { type: "succeeded", body: { packageStatus }, changes: [] };
  },
};

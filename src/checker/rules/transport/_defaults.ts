import { isSameJson, type Json } from "../../../foundation/json/json.ts";
import type { CheckedExchange } from "../rule.ts";

/** The values of optional members that mean the same as a missing member, by operation. */
export const defaults: Readonly<Record<string, Readonly<Record<string, readonly Json[]>>>> = {
  // True and false select members of the response; both are valid.
  getTransferFactory: { excludeDebugFields: [false, true] },
  "postV2UsersUser-idRights": { rights: [[]], identityProviderId: [""] },
  postV2PartiesExternalAllocate: {
    multiHashSignatures: [[]],
    identityProviderId: [""],
    waitForAllocation: [true],
    userId: [""],
  },
  "postV2Package-vetting": { dryRun: [false], dry_run: [false], updateVettedPackagesForceFlags: [[]] },
};

/** Member names come from the client, so inherited members such as `constructor` must not match. */
export function isDefault(operationId: string, name: string, value: Json): boolean {
  const optional = defaults[operationId] ?? {};
  return Object.hasOwn(optional, name) && optional[name]?.some((same) => isSameJson(same, value)) === true;
}

/** Whether a 400 cannot depend on the state, such as the parties that exist (Canton 3.5, Endpoints.scala). */
export function isAboutForm({ mediaType, responseBody }: CheckedExchange): boolean {
  return mediaType === "text/plain" && responseBody.text().startsWith("Invalid value for: body");
}

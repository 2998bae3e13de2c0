import type { Operation } from "../operation.ts";
import { contractJson, featuredAppRightOf, partyRefusal, responseWith } from "../splice-contracts.ts";

/** `GET …/featured-apps/{party}`: empty for a party without the right (Splice 0.6, scan.yaml). */
export const getFeaturedApp: Operation = {
  operationId: "getScanFeaturedApp",
  aliases: ["getScanProxyFeaturedApp"],
  perform({ path }, world) {
    const party = path["provider_party_id"] ?? "";
    const refusal = partyRefusal(party);
    if (refusal !== undefined) return refusal;
    const right = featuredAppRightOf(party, world);
    return responseWith(right === undefined ? {} : { featured_app_right: contractJson(right) });
  },
};

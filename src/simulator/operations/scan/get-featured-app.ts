import type { Operation } from "../operation.ts";
import { contractJson, featuredAppRightOf, forParty, responseWith } from "../splice-contracts.ts";

/** `GET …/featured-apps/{party}`: empty for a party without the right (Splice 0.6, scan.yaml). */
export const getFeaturedApp: Operation = {
  operationId: "getScanFeaturedApp",
  aliases: ["getScanProxyFeaturedApp"],
  perform: ({ path }, world) =>
    forParty(path["provider_party_id"], (party) => {
      const right = featuredAppRightOf(party, world);
      return responseWith(right === undefined ? {} : { featured_app_right: contractJson(right) });
    }),
};

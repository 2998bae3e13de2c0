import type { LoadRequest } from "../load/request.ts";
import type { LoadCase } from "./_load-case.ts";
import { grant } from "./grant-rights.ts";
import { firstPage } from "./list-users.ts";
import { lookup } from "./transfer-factory.ts";
import { update } from "./update-user.ts";

/** Number of different cycles; each has other users and parties. */
const cycles = 200;
/** No other case grants these. */
const firstGrant = 5_000_000;

export const mixed: LoadCase = {
  name: "mixed",
  title: "mixed",
  about: "of ten requests five pages, three lookups, an update and a grant that is new the first time",
  members: ["users", "factoryId", "user", "newlyGrantedRights"],
  async requests({ fixture }) {
    const lookupRequest = lookup(fixture);
    return Array.from({ length: cycles }, (_, cycle): readonly LoadRequest[] => [
      firstPage,
      lookupRequest,
      update(fixture, cycle),
      grant(fixture, firstGrant + cycle),
      firstPage,
      lookupRequest,
      firstPage,
      firstPage,
      lookupRequest,
      firstPage,
    ]).flat();
  },
};

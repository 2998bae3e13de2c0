import type { LoadRequest } from "../load/request.ts";
import type { LoadCase } from "./_load-case.ts";
import { grant } from "./grant-rights.ts";
import { firstPage } from "./list-users.ts";
import { lookup } from "./transfer-factory.ts";
import { update } from "./update-user.ts";

/** Cycles with other users and parties in each, before the first comes again. */
const cycles = 200;
/** No other case grants these. */
const firstGrant = 5_000_000;

export const mixed: LoadCase = {
  name: "mixed",
  title: "mixed",
  about: "of ten requests five pages, three lookups, an update and a grant that is new the first time",
  members: ["users", "factoryId", "user", "newlyGrantedRights"],
  async requests({ fixture }) {
    const looked = lookup(fixture);
    return Array.from({ length: cycles }, (_, cycle): readonly LoadRequest[] => [
      firstPage,
      looked,
      update(fixture, cycle),
      grant(fixture, firstGrant + cycle),
      firstPage,
      looked,
      firstPage,
      firstPage,
      looked,
      firstPage,
    ]).flat();
  },
};

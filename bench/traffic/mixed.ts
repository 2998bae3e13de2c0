import { firstPage, type LoadRequest } from "../request.ts";
import type { Traffic } from "./_traffic.ts";
import { grant } from "./grant-rights.ts";
import { lookup } from "./transfer-factory.ts";
import { update } from "./update-user.ts";

/** Number of different cycles; each has other users and parties. */
const cycles = 200;
/** The case of grants has lower numbers. */
const firstGrant = 500_000_000;

/** Of ten requests five pages, three lookups, an update, and a grant that is new the first time. */
export const mixed: Traffic = {
  name: "mixed",
  title: "mixed",
  members: ["users", "factoryId", "user", "newlyGrantedRights"],
  async requests(world) {
    const lookedUp = lookup(world);
    return Array.from({ length: cycles }, (_, cycle): readonly LoadRequest[] => [
      firstPage,
      lookedUp,
      update(world, cycle),
      grant(world, firstGrant + cycle),
      firstPage,
      lookedUp,
      firstPage,
      firstPage,
      lookedUp,
      firstPage,
    ]).flat();
  },
};

import { listed } from "../_list.ts";
import type { Operation } from "../operation.ts";
import { mayReadUpdates } from "./_update.ts";
import { updateElements, updateStream, wantedUpdates } from "./_update-list.ts";

/** `POST /v2/updates/trees`: the updates between two offsets as trees; deprecated by `/v2/updates` (Canton 3.5, openapi.yaml). */
export const listUpdateTrees: Operation = {
  operationId: "postV2UpdatesTrees",
  mayCall: mayReadUpdates,
  perform(call, world) {
    const wanted = wantedUpdates(call, world, "tree");
    return wanted.type === "wanted" ? listed(updateElements(wanted, world.ledger), call) : wanted;
  },
  stream(call, world) {
    const wanted = wantedUpdates(call, world, "tree");
    return wanted.type === "wanted" ? updateStream(wanted) : wanted;
  },
};

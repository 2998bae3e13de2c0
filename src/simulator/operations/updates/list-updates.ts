import { listed } from "../_list.ts";
import type { Operation } from "../operation.ts";
import { mayReadUpdates } from "./_update.ts";
import { updateElements, updateStream, wantedUpdates } from "./_update-list.ts";

/** `POST /v2/updates`, and `/flats`, which it replaces: the updates between two offsets as one list (Canton 3.5, openapi.yaml). */
export const listUpdates: Operation = {
  operationId: "postV2Updates",
  aliases: ["postV2UpdatesFlats"],
  mayCall: mayReadUpdates,
  perform(call, world) {
    const wanted = wantedUpdates(call, world);
    return wanted.type === "wanted" ? listed(updateElements(wanted, world.ledger), call) : wanted;
  },
  stream(call, world) {
    const wanted = wantedUpdates(call, world);
    return wanted.type === "wanted" ? updateStream(wanted) : wanted;
  },
};

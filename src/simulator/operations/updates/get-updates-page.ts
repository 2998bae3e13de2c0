import { type JsonObject, jsonOfInteger } from "../../../foundation/json/json.ts";
import { pageRequest, tokenAfter } from "../_paged.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { missingField } from "../refusal.ts";
import { mayReadUpdates } from "./_update.ts";
import { updateElement, updatesOf, type WantedUpdates, wantedUpdates } from "./_update-list.ts";

const bounds = { sizeDefault: 100, sizeMax: 2000, code: "INVALID_UPDATES_PAGE_TOKEN" } as const;

/** `POST /v2/updates/get-updates-page`: the updates between two offsets, page by page (Canton 3.5, openapi.yaml). */
export const getUpdatesPage: Operation = {
  operationId: "postV2UpdatesGet-updates-page",
  mayCall: mayReadUpdates,
  perform(call, world) {
    const { body } = call;
    if ((body["updateFormat"] ?? null) === null) return missingField("update_format");
    const page = pageRequest(body, bounds);
    if (page.type !== "page") return page;
    const isDescending = body["descendingOrder"] === true;
    const from = page.place === "" ? undefined : jsonOfInteger(BigInt(page.place));
    const beginExclusive = (isDescending ? undefined : from) ?? body["beginOffsetExclusive"] ?? null;
    const endInclusive = (isDescending ? from : undefined) ?? body["endOffsetInclusive"] ?? null;
    const wanted = wantedUpdates({ ...call, body: { ...body, beginExclusive, endInclusive } }, world);
    return wanted.type === "wanted" ? pageOf(wanted, page.size, call, world) : wanted;
  },
};

function pageOf(wanted: WantedUpdates, size: number, { body }: Call, { ledger }: WorldView): OperationResult {
  const { after, upTo = ledger.ledgerEnd, isDescending } = wanted;
  const updates: JsonObject[] = [];
  let last: bigint | undefined;
  for (const update of updatesOf(wanted, ledger)) {
    const element = updateElement(update, wanted);
    if (element === undefined) continue;
    updates.push(element);
    last = update.offset;
    if (updates.length === size) break;
  }
  const isFull = updates.length === size && last !== undefined;
  const [lowest, highest] = isDescending
    ? [isFull && last !== undefined ? last - 1n : after, upTo]
    : [after, isFull && last !== undefined ? last : upTo];
  const rest = isDescending ? lowest : highest;
  const isEnd = isDescending ? lowest <= after : wanted.upTo !== undefined && highest >= upTo;
  return {
    type: "succeeded",
    body: {
      updates,
      lowestPageOffsetExclusive: jsonOfInteger(lowest),
      highestPageOffsetInclusive: jsonOfInteger(highest),
      nextPageToken: isEnd ? null : tokenAfter(String(rest), body),
    },
    changes: [],
  };
}

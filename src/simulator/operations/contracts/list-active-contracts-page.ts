import { jsonOfInteger } from "../../../foundation/json/json.ts";
import { objectOf } from "../../../foundation/json/members.ts";
import { type EventFormat, eventFormatOf, eventFormatProblem, partiesOf } from "../_event-format.ts";
import { integerOf } from "../_json-members.ts";
import { pageRequest, tokenAfter } from "../_paged.ts";
import { mayRead } from "../_reading.ts";
import type { Call, Operation } from "../operation.ts";
import { missingField } from "../refusal.ts";
import { type ActiveEntry, activeEntries, activeOffsetProblem } from "./_active-contracts.ts";

const bounds = { sizeDefault: 2000, sizeMax: 10_000, code: "INVALID_ACS_PAGE_TOKEN" } as const;

/** `POST /v2/state/active-contracts-page`: the active contracts at one offset, page by page (Canton 3.5.10, source). */
export const listActiveContractsPage: Operation = {
  operationId: "postV2StateActive-contracts-page",
  mayCall: (call, world) =>
    (call.body["eventFormat"] ?? null) === null || mayRead(call, partiesOf(formatOf(call)), world),
  perform(call, world) {
    const { body } = call;
    if ((body["eventFormat"] ?? null) === null) return missingField("event_format");
    const page = pageRequest(body, bounds);
    if (page.type !== "page") return page;
    // The place of a page is the offset of all pages, and the key of its last contract.
    const [at = "", ...key] = page.place.split(" ");
    const offset = at === "" ? (integerOf(body["activeAtOffset"] ?? undefined) ?? world.ledger.ledgerEnd) : BigInt(at);
    const format = formatOf(call);
    const unfit = activeOffsetProblem(offset, world.ledger) ?? eventFormatProblem(format, call, world);
    if (unfit !== undefined) return unfit;
    const found: ActiveEntry[] = [];
    for (const entry of activeEntries({ offset, format, after: key.join(" ") }, call, world)) {
      found.push(entry);
      if (found.length > page.size) break;
    }
    const shown = found.slice(0, page.size);
    const last = shown.at(-1)?.key ?? "";
    return {
      type: "succeeded",
      body: {
        activeContracts: shown.map(({ entry }) => ({ ...entry, streamContinuationToken: "" })),
        activeAtOffset: jsonOfInteger(offset),
        nextPageToken: found.length > shown.length ? tokenAfter(`${offset} ${last}`, body) : null,
      },
      changes: [],
    };
  },
};

function formatOf({ body }: Call): EventFormat {
  return eventFormatOf(objectOf(body["eventFormat"]));
}

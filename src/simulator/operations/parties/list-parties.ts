import { textOf } from "../../../foundation/json/members.ts";
import { isAllocated } from "../../ledger/ledger-state.ts";
import { pageOf, requestedPage } from "../_page.ts";
import { isSomeUserAdministrator } from "../_user-administrator.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { invalidArgument } from "../refusal.ts";
import { partyJson } from "./_party-json.ts";

/** `GET /v2/parties`: the parties that the node knows, by ascending id (Canton 3.5, openapi.yaml). */
export const listParties: Operation = {
  operationId: "getV2Parties",
  mayCall: ({ caller }) => isSomeUserAdministrator(caller),
  perform: list,
};

function list({ query, caller }: Call, { ledger, nowMs }: WorldView): OperationResult {
  const { partiesPageSizeMax } = ledger.limits;
  const limits = { sizeDefault: partiesPageSizeMax, sizeMax: partiesPageSizeMax };
  const size = Number(query["pageSize"] ?? 0);
  const requested = requestedPage(size, textOf(query["pageToken"]), limits);
  if (requested.type !== "page") return requested;
  if (size > partiesPageSizeMax)
    return invalidArgument(`Page size must not exceed the server's maximum of ${partiesPageSizeMax}`);
  const prefix = textOf(query["filter-party"]);
  const provider =
    caller.type === "user" && !caller.isParticipantAdmin
      ? caller.identityProviderId
      : textOf(query["identity-provider-id"]);
  const page = pageOf(
    ledger.parties.entries(requested.lastId),
    requested,
    (party) => party.id.startsWith(prefix) && isAllocated(party, nowMs),
  );
  const partyDetails = page.rows.map((party) =>
    partyJson(party.identityProviderId === provider ? party : { ...party, ...unshown }, ledger.participantId),
  );
  return { type: "succeeded", body: { partyDetails, nextPageToken: page.nextPageToken }, changes: [] };
}

/** What a party of another identity provider shows. */
const unshown = { annotations: {}, resourceVersion: "", identityProviderId: "" };

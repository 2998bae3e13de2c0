import { isAllocated, type Party } from "../ledger/ledger-state.ts";
import { textOf } from "./_json-members.ts";
import type { Call, Operation, Outcome, WorldView } from "./_operation.ts";
import { lastIdOf, pageTokenAfter } from "./_page-token.ts";
import { partyJson } from "./_party-json.ts";
import { invalidArgument } from "./_refusal.ts";

/** `GET /v2/parties`: the parties that the node knows, by ascending id (facts, ledger-api 6). */
export const listParties: Operation = {
  operationId: "getV2Parties",
  mayCall: ({ caller }) =>
    caller.type === "everyone" ||
    (caller.type === "user" && (caller.isParticipantAdmin || caller.isIdentityProviderAdmin)),
  perform: list,
};

function list({ query, caller }: Call, { ledger, nowMs }: WorldView): Outcome {
  const asked = Number(query["pageSize"] ?? 0);
  if (asked < 0) return invalidArgument("Page size must be non-negative");
  const token = textOf(query["pageToken"]);
  const lastId = token === "" ? undefined : lastIdOf(token);
  if (token !== "" && lastId === undefined) return invalidArgument("Failed to decode base64 encoded page token");
  const { partiesPageSizeMax } = ledger.limits;
  const size = Math.min(asked === 0 ? partiesPageSizeMax : asked, partiesPageSizeMax);
  const prefix = textOf(query["filter-party"]);
  const provider =
    caller.type === "user" && !caller.isParticipantAdmin
      ? caller.identityProviderId
      : textOf(query["identity-provider-id"]);
  const page: Party[] = [];
  for (const [id, party] of ledger.parties.entries(lastId)) {
    if (page.length === size) break;
    const isListed = id.startsWith(prefix) && isAllocated(party, nowMs) && party.identityProviderId === provider;
    if (id !== lastId && isListed) page.push(party);
  }
  const partyDetails = page.map((party) => partyJson(party, ledger.participantId));
  const nextPageToken = page.length === size ? pageTokenAfter(page.at(-1)?.id ?? "") : "";
  return { type: "answered", body: { partyDetails, nextPageToken }, changes: [] };
}

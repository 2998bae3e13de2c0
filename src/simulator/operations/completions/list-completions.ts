import { textOf, textsOf } from "../../../foundation/json/members.ts";
import { integerOf } from "../_json-members.ts";
import { listed } from "../_list.ts";
import { beginProblem } from "../_offsets.ts";
import { mayRead } from "../_reading.ts";
import { userMissing } from "../_user-refusal.ts";
import type { Call, Operation, WorldView } from "../operation.ts";
import { missingField, type Refusal } from "../refusal.ts";
import { completionElements, completionStream, type WantedCompletions } from "./_completion.ts";

/** `POST /v2/commands/completions`: the completions of a user for some parties, as one list (Canton 3.5, openapi.yaml). */
export const listCompletions: Operation = {
  operationId: "postV2CommandsCompletions",
  mayCall: (call, world) =>
    mayRead(call, textsOf(call.body["parties"]), world) && (isOwnUser(call) || mayRead(call, undefined, world)),
  perform(call, world) {
    const found = wanted(call, world);
    return found.type === "wanted" ? listed(completionElements(found, world.ledger, call.release), call) : found;
  },
  stream(call, world) {
    const found = wanted(call, world);
    return found.type === "wanted" ? completionStream(found, call.release) : found;
  },
};

function wanted(call: Call, { ledger }: WorldView): WantedCompletions | Refusal {
  const userId = userOf(call);
  if (userId === undefined) return userMissing();
  const parties = textsOf(call.body["parties"]);
  if (parties.length === 0) return missingField("parties");
  const after = integerOf(call.body["beginExclusive"]) ?? 0n;
  return beginProblem(after, ledger) ?? { type: "wanted", after, userId, parties };
}

/** The user of the request, or that of the token. */
function userOf({ body, caller }: Call): string | undefined {
  const requested = textOf(body["userId"]);
  if (requested !== "") return requested;
  return caller.type === "anonymous" ? undefined : caller.userId;
}

function isOwnUser(call: Call): boolean {
  return call.caller.type !== "user" || userOf(call) === call.caller.userId;
}

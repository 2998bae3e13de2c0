import { textsOf } from "../../../foundation/json/members.ts";
import { integerOf } from "../_json-members.ts";
import { listed } from "../_list.ts";
import { beginProblem } from "../_offsets.ts";
import { mayRead } from "../_reading.ts";
import type { Call, Operation, WorldView } from "../operation.ts";
import type { Refusal } from "../refusal.ts";
import { completionElements, completionStream, type WantedCompletions } from "./_completion.ts";

/** `POST /v2/commands/command-completions`: the completions for some parties, or all, of all users (Canton 3.5.7, source). */
export const listCommandCompletions: Operation = {
  operationId: "postV2CommandsCommand-completions",
  mayCall: (call, world) => mayRead(call, partiesOf(call), world),
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
  const after = integerOf(call.body["beginExclusive"]) ?? 0n;
  return beginProblem(after, ledger) ?? { type: "wanted", after, parties: partiesOf(call) };
}

function partiesOf({ body }: Call): readonly string[] | undefined {
  const parties = textsOf(body["parties"]);
  return parties.length === 0 ? undefined : parties;
}

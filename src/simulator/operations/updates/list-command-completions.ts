import { textsOf } from "../../../foundation/json/members.ts";
import { integerOf } from "../_json-members.ts";
import { mayRead } from "../_reading.ts";
import type { Call, Operation } from "../operation.ts";
import { completionElements } from "./_completion.ts";
import { listed } from "./_list.ts";
import { beginProblem } from "./_offsets.ts";

/** `POST /v2/commands/command-completions`: the completions for some parties, or all, of all users (Canton 3.5.7, source). */
export const listCommandCompletions: Operation = {
  operationId: "postV2CommandsCommand-completions",
  mayCall: (call, world) => mayRead(call, partiesOf(call), world),
  perform(call, world) {
    const after = integerOf(call.body["beginExclusive"]) ?? 0n;
    const outside = beginProblem(after, world.ledger);
    if (outside !== undefined) return outside;
    return listed(completionElements(after, { parties: partiesOf(call) }, world.ledger, call.release), call);
  },
};

function partiesOf({ body }: Call): readonly string[] | undefined {
  const parties = textsOf(body["parties"]);
  return parties.length === 0 ? undefined : parties;
}

import { textOf } from "../../../foundation/json/members.ts";
import { microsOfInstant } from "../../../foundation/protobuf/instant.ts";
import { eventsUntil } from "../../ledger/traffic.ts";
import { isParticipantAdministrator } from "../_user-administrator.ts";
import type { Operation, OperationResult } from "../operation.ts";
import { invalidField } from "../refusal.ts";
import { exposed } from "./_traffic-account.ts";

/** `POST /v2/traffic/events/prune`: forgets the events up to a time; a pruned update may be applied again (Canton 3.6.1, openapi.yaml). */
export const pruneTrafficEvents: Operation = {
  operationId: "postV2TrafficEventsPrune",
  isExposed: ({ traffic }) => traffic !== undefined,
  mayCall: ({ caller }) => isParticipantAdministrator(caller),
  perform({ body }, { ledger }): OperationResult {
    const beforeOrAt = textOf(body["beforeOrAt"]);
    const micros = microsOfInstant(beforeOrAt);
    if (micros === undefined)
      return invalidField("before_or_at", `${JSON.stringify(beforeOrAt)} is not a valid timestamp`);
    const beforeOrAtMs = Number(micros) / 1000;
    return {
      type: "succeeded",
      body: { prunedEventCount: eventsUntil(exposed(ledger), beforeOrAtMs).length },
      changes: [{ type: "traffic-events-pruned", beforeOrAtMs }],
    };
  },
};

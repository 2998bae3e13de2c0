import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, optionalTextOf, withoutUndefined } from "../../../foundation/json/members.ts";
import { UnderstudyError } from "../../library/understudy-error.ts";
import type { Session } from "../session.ts";
import { stubArgument, type Tool } from "../tool.ts";

/** The tool with the arguments that an entry of a plan has in the schema of scenarios. */
export function injectFaultOf(scenarioSchema: JsonObject): Tool {
  const { plan } = objectOf(scenarioSchema["properties"]);
  const entry = objectOf(objectOf(objectOf(plan)["items"])["properties"]);
  const response = objectOf(objectOf(scenarioSchema["$defs"])["response"]);
  return {
    name: "inject_fault",
    title: "Inject a fault",
    description:
      "Injects a fault into the next call of an operation: a named fault, a response instead of the effect, or a response after it, with status, ledger error code, delay, timeout or connection reset. Give exactly one of fault, instead and after. nth, times and match select other calls.",
    isReadOnly: false,
    input: {
      stub: stubArgument,
      operation: {
        type: "string",
        examples: ["getV2Users"],
        description:
          "Operation id, such as getV2Users, or any for all operations. send_request and list_traffic show it.",
      },
      fault: objectOf(entry["fault"]),
      instead: {
        ...response,
        description: `${entryText(entry, "instead")} Example: {"error": "PARTICIPANT_BACKPRESSURE"}.`,
      },
      after: {
        type: "object",
        description: `${entryText(entry, "after")} Members as of instead. Example: {"timeout": true}.`,
      },
      nth: { ...objectOf(entry["nth"]), description: "The first call that the fault meets, counted from now." },
      times: objectOf(entry["times"]),
      match: objectOf(entry["match"]),
    },
    required: ["operation"],
    run: runInjectFault,
  };
}

function entryText(entry: JsonObject, member: string): string {
  return String(objectOf(entry[member])["description"]);
}

async function runInjectFault(given: JsonObject, { stubs }: Session): Promise<JsonObject> {
  const { stub: id, operation, ...entry } = given;
  const stub = stubs.find(optionalTextOf(id));
  const kinds = ["fault", "instead", "after"].filter((kind) => entry[kind] !== undefined);
  if (kinds.length !== 1)
    throw new UnderstudyError(
      `inject_fault needs exactly one of fault, instead and after, but has ${kinds.length === 0 ? "none" : kinds.join(" and ")}. Example: {"operation": "getV2Users", "instead": {"status": 503}}.`,
    );
  try {
    await stub.change("plan", { plan: [withoutUndefined({ on: operation, ...entry })] });
  } catch (error) {
    if (!(error instanceof UnderstudyError)) throw error;
    throw new UnderstudyError(error.message.replaceAll(/^plan\.0\b/gm, "inject_fault"));
  }
  return { stub: stub.id, pendingFaults: stub.understudy.unusedResponses().map((pending) => ({ ...pending })) };
}

import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { durationMs } from "../../foundation/text/duration.ts";
import type { PlayedScenario, PlayedStep } from "./played-scenario.ts";

/** An event of the plan as text. `beforeStep` is the index of the step that follows it; undefined after the last step. */
interface PlanEvent {
  readonly description: string;
  /** Time or call of the event, in the words of the plan. */
  readonly when: string;
  readonly beforeStep: number | undefined;
}

/** The events of a scenario's plan in the order of the plan. The end of a reassignment follows its beginning. */
export function planEvents({ world, startMs, steps }: PlayedScenario): readonly PlanEvent[] {
  const plan = Array.isArray(world["plan"]) ? world["plan"] : [];
  return plan.flatMap((entry: Json) =>
    isJsonObject(entry)
      ? typeof entry["at"] === "string"
        ? timedEvents(entry, entry["at"], startMs, steps)
        : callEvents(entry, String(entry["on"] ?? ""), steps)
      : [],
  );
}

function timedEvents(
  entry: JsonObject,
  at: string,
  startMs: number,
  steps: readonly PlayedStep[],
): readonly PlanEvent[] {
  const beginsMs = startMs + (durationMs(at) ?? 0);
  const stepAt = (ms: number) => indexOrUndefined(steps.findIndex(({ atMs }) => atMs >= ms));
  const begin = { description: changeText(entry), when: `${at} after the start`, beforeStep: stepAt(beginsMs) };
  const reassign = entry["reassign"];
  const lasts = isJsonObject(reassign) ? reassign["for"] : undefined;
  if (!isJsonObject(reassign) || typeof lasts !== "string") return [begin];
  const end = {
    description: endText(reassign),
    when: `${lasts} later`,
    beforeStep: stepAt(beginsMs + (durationMs(lasts) ?? 0)),
  };
  return [begin, end];
}

function callEvents(entry: JsonObject, operationId: string, steps: readonly PlayedStep[]): readonly PlanEvent[] {
  const nth = Number(entry["nth"] ?? 1);
  const calls = steps.flatMap(({ operation }, index) => (operation.operationId === operationId ? [index] : []));
  const matching = entry["match"] === undefined ? "call" : "matching call";
  const when = (call: number) => `before ${matching} ${call} of ${operationId}`;
  const begin = { description: changeText(entry), when: when(nth), beforeStep: calls[nth - 1] };
  const reassign = entry["reassign"];
  const lasts = isJsonObject(reassign) ? Number(reassign["forCalls"] ?? 0) : 0;
  if (!isJsonObject(reassign) || lasts === 0) return [begin];
  return [begin, { description: endText(reassign), when: when(nth + lasts), beforeStep: calls[nth + lasts - 1] }];
}

function indexOrUndefined(index: number): number | undefined {
  return index < 0 ? undefined : index;
}

function endText(reassign: JsonObject): string {
  return `${String(reassign["contract"])} is assigned to ${String(reassign["to"])}`;
}

function changeText(entry: JsonObject): string {
  const [action = "", value = null] = Object.entries(entry).find(([member]) => !nonActions.has(member)) ?? [];
  const of = (member: string) => (isJsonObject(value) ? String(value[member]) : "");
  const name = String(value);
  const texts: Readonly<Record<string, string>> = {
    reassign: `the reassignment of ${of("contract")} to ${of("to")} begins`,
    connect: `the participant connects to ${name}`,
    disconnect: `the participant disconnects from ${name}`,
    deactivateUser: `the user ${name} is deactivated`,
    allocateParty: `the party ${name} is allocated`,
    uploadPackage: `the package ${name} is uploaded`,
    createPreapproval: `${of("receiver")} pre-approves direct transfers`,
    archivePreapproval: `the pre-approval of ${name} ends`,
    authorizeHosting: `${of("by")} authorizes hosting ${of("party")}`,
    fault: `the client does not receive the result (${name})`,
    instead: "a planned response, without the effect",
    after: "a planned response, after the effect",
  };
  return Object.hasOwn(texts, action) ? (texts[action] ?? action) : action;
}

const nonActions: ReadonlySet<string> = new Set(["at", "on", "nth", "times", "match"]);

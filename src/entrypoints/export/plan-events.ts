import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { durationMs } from "../../foundation/text/duration.ts";
import type { PlayedScenario, PlayedStep } from "./played-scenario.ts";

/** What the plan lets happen, in words, and the step before which it comes; undefined where no step came after it. */
export interface PlanEvent {
  readonly what: string;
  /** When it comes, as the plan says it. */
  readonly when: string;
  readonly beforeStep: number | undefined;
}

/** The events of a scenario's plan in the order in which the plan names them, each end of a window after its beginning. */
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
  const stepAt = (ms: number) => placeOf(steps.findIndex(({ atMs }) => atMs >= ms));
  const begin = { what: changeText(entry), when: `${at} after the start`, beforeStep: stepAt(beginsMs) };
  const reassign = entry["reassign"];
  const lasts = isJsonObject(reassign) ? reassign["for"] : undefined;
  if (!isJsonObject(reassign) || typeof lasts !== "string") return [begin];
  const end = {
    what: endText(reassign),
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
  const begin = { what: changeText(entry), when: when(nth), beforeStep: calls[nth - 1] };
  const reassign = entry["reassign"];
  const lasts = isJsonObject(reassign) ? Number(reassign["forCalls"] ?? 0) : 0;
  if (!isJsonObject(reassign) || lasts === 0) return [begin];
  return [begin, { what: endText(reassign), when: when(nth + lasts), beforeStep: calls[nth + lasts - 1] }];
}

function placeOf(index: number): number | undefined {
  return index < 0 ? undefined : index;
}

function endText(reassign: JsonObject): string {
  return `${String(reassign["contract"])} is assigned to ${String(reassign["to"])}`;
}

function changeText(entry: JsonObject): string {
  const [action = "", value = null] = Object.entries(entry).find(([member]) => !whens.has(member)) ?? [];
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
    authorizeHosting: `${of("by")} says that it hosts ${of("party")}`,
    fault: `the client will not learn what comes of it (${name})`,
    instead: "the response is planned, and there is no effect",
    after: "the effect takes place, and the response is planned",
  };
  return Object.hasOwn(texts, action) ? (texts[action] ?? action) : action;
}

const whens: ReadonlySet<string> = new Set(["at", "on", "nth", "times", "match"]);

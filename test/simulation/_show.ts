import { formatJson } from "../../src/foundation/json/json.ts";
import type { FailedResponse } from "./_broken.ts";
import type { Beginning, Call, WalkEvent } from "./_event.ts";
import type { Taken } from "./_take-walk.ts";
import { operationOf } from "./steps/_request-of.ts";

/** Characters of a cell. */
const cellMax = 400;

/** A walk as a table: event, place and result; below it the broken invariants. */
export function tableOfWalk(beginning: Beginning, { happened, broken }: Pick<Taken, "happened" | "broken">): string {
  const rows = happened.map(({ event, received }, place) => [
    String(place + 1),
    "world" in event ? String(event.world) : "",
    event.type,
    cut(detailsOf(event)),
    cut(received),
  ]);
  const { scenario, profile, authentication, seed, clock, journalMax } = beginning;
  return [
    `${scenario}, profile ${profile}, --auth ${authentication}, --seed ${seed}, --clock ${clock}, --limit journalExchangesMax=${journalMax}`,
    "",
    ...aligned([["#", "world", "event", "what", "received"], ...rows]),
    "",
    ...broken.map(brokenLine),
  ].join("\n");
}

export function brokenLine({ invariant, what }: FailedResponse): string {
  return `broken: ${invariant}: ${what}`;
}

/** The last column may be as long as it likes. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.min(60, Math.max(...rows.map((row) => row[column]?.length ?? 0))),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function cut(text: string): string {
  return text.length > cellMax ? `${text.slice(0, cellMax)}…` : text;
}

function detailsOf(event: WalkEvent): string {
  switch (event.type) {
    case "request":
      return callText(event.call);
    case "together":
      return event.calls.map(({ world, call }) => `${world}: ${callText(call)}`).join(" | ");
    case "pages":
      return `pageSize ${event.size}`;
    case "wall":
      return `${event.byMs} ms`;
    case "advance":
      return event.by;
    case "fork":
      return `from ${event.from} as ${event.as}`;
    case "plan":
      return formatJson(event.entries);
    case "begin":
      return `${event.contract} to ${event.to}`;
    case "complete":
      return event.contract;
    case "look":
      return event.at;
    case "reload":
      return event.clock;
    default:
      return "";
  }
}

function callText({ step, mangled, via }: Call): string {
  const { method, path } = operationOf(step.operationId);
  const named = path.replace(/\{([^}]+)\}/g, (_, name: string) => formatJson(step.path[name] ?? null));
  return [
    ...mangled.map(({ how, at, pick }) => `(${how} ${at} ${pick})`),
    `${method} ${named}`,
    ...(Object.keys(step.query).length === 0 ? [] : [`?${formatJson(step.query)}`]),
    ...(step.rawBody === undefined ? (step.body === undefined ? [] : [formatJson(step.body)]) : [step.rawBody]),
    ...(step.token === "administrator" ? [] : [`as ${step.token}`]),
    ...(via === "header" ? ["by header"] : []),
  ].join(" ");
}

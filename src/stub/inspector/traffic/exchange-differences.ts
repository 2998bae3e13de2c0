import { type Json, jsonOf } from "../../../foundation/json/json.ts";
import type { InspectedExchange, InspectedMessage } from "../parts/control-api.ts";
import { type JsonDifference, jsonDifferences } from "./json-diff.ts";

/** The differences of two exchanges in one part, such as the request headers. */
export interface DifferentPart {
  readonly title: string;
  readonly differences: readonly JsonDifference[];
}

export const differencesMax = 1_000;

/** Compares two exchanges part by part. Parts without differences are included. */
export function exchangeDifferences(left: InspectedExchange, right: InspectedExchange): readonly DifferentPart[] {
  const part = (title: string, of: (exchange: InspectedExchange) => Json | undefined): DifferentPart => ({
    title,
    differences: jsonDifferences(of(left), of(right), differencesMax),
  });
  return [
    part("Target", ({ line }) => targetOf(line.method, line.target)),
    part("Request headers", ({ request }) => headersOf(request)),
    part("Request body", ({ request }) => bodyOf(request)),
    part("Status", ({ line: { status, broken } }) => ({ status, brokenOff: broken })),
    part("Response headers", ({ response }) => headersOf(response)),
    part("Response body", ({ response }) => bodyOf(response)),
  ];
}

function targetOf(method: string, target: string): Json {
  const [path = "", ...query] = target.split("?");
  return { method, path, query: byName([...new URLSearchParams(query.join("?"))]) };
}

/** Header names are case-insensitive. */
function headersOf(message: InspectedMessage | null): Json | undefined {
  return message === null
    ? undefined
    : byName(message.headers.map(([name = "", value = ""]) => [name.toLowerCase(), value]));
}

/** Groups values by name; several values of one name form a list. */
function byName(pairs: readonly (readonly [string, string])[]): Json {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? "") : all]));
}

function bodyOf(message: InspectedMessage | null): Json | undefined {
  return message === null || message.body === "" ? undefined : (jsonOf(message.body) ?? message.body);
}

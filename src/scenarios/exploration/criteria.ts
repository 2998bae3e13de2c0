import type { Clash } from "../../checker/comparison/correspondence.ts";
import type { Difference } from "../../checker/comparison/difference.ts";
import { mediaType } from "../../foundation/http/header.ts";
import {
  formatJson,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  jsonOf,
} from "../../foundation/json/json.ts";
import { valueAt } from "../../foundation/spec/operation.ts";
import { escapePattern } from "../../foundation/text/escape-pattern.ts";
import type { SequenceRun, SideExchange } from "./run-sequence.ts";

/** An output of a step, for use by later steps. */
export interface Output {
  readonly name: string;
  readonly expression: string;
}

/** Adds an output to the step at this index. Returns the expression that refers to it. */
export type UseOutput = (place: number, output: Output) => string;

/** Success criteria that the oracle's response fulfils, and that the target's response breaks at the step of the difference. */
export function criteriaOf(
  run: SequenceRun,
  place: number,
  difference: Difference | undefined,
  use: UseOutput,
): readonly JsonObject[] {
  const executed = run.executed[place];
  const response = executed?.oracle.response;
  if (executed === undefined || response?.type !== "response") return [];
  const status = { condition: `$statusCode == ${response.status}` };
  if (difference === undefined || difference.aspect === "status" || difference.aspect === "response") return [status];
  if (difference.aspect === "media-type") return [status, typed(mediaType(response.headers) ?? "")];
  const relation = difference.clash === undefined ? undefined : related(run, place, difference, difference.clash, use);
  if (relation !== undefined) return [status, { condition: relation }];
  if (difference.pointer === "" && typeof difference.oracle === "string")
    return [status, { context: "$response.body", type: "regex", condition: `^${difference.oracle}: ` }];
  const test = testOf(difference, executed.step.followsPages ? rowOf(executed.oracle, difference.pointer) : undefined);
  return [status, { context: "$response.body", type: "jsonpath", condition: `$[?${test}]` }];
}

function typed(expected: string): JsonObject {
  return {
    context: "$response.header.content-type",
    type: "regex",
    condition: `^${escapePattern(expected)}(?:\\s*;|$)`,
  };
}

/** A JSONPath test (RFC 9535) for the value in the oracle's response. */
function testOf({ aspect, pointer, oracle, target }: Difference, row: Row | undefined): string {
  const at = `@${segmentsOf(row?.rest ?? pointer)}`;
  const inner = conditionOf(aspect, at, oracle, target);
  return row === undefined ? inner : `@.users[?@.id == ${JSON.stringify(row.id)} && ${inner}]`;
}

function conditionOf(
  aspect: Difference["aspect"],
  at: string,
  oracle: Json | undefined,
  target: Json | undefined,
): string {
  if (aspect === "missing") return at;
  if (aspect === "surplus") return `!${at}`;
  if (Array.isArray(oracle)) return `length(${at}) == ${oracle.length}`;
  if (isJsonObject(oracle)) return target === null ? `${at} != null` : `length(${at}) == ${Object.keys(oracle).length}`;
  return `${at} == ${formatJson(oracle ?? null)}`;
}

function segmentsOf(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `[${JSON.stringify(segment)}]`))
    .join("");
}

interface Row {
  readonly id: string;
  readonly rest: string;
}

/** The row of a user by id, since only a part of the list was compared. */
function rowOf(requested: SideExchange, pointer: string): Row | undefined {
  const [, index, rest] = /^\/users\/(\d+)(.*)$/.exec(pointer) ?? [];
  const json = requested.response.type === "response" ? jsonOf(requested.response.body.text()) : undefined;
  const id = json === undefined || index === undefined ? undefined : valueAt(json, `/users/${index}/id`);
  return typeof id === "string" ? { id, rest: rest ?? "" } : undefined;
}

/** The relation of a value to an earlier one as a condition; undefined if only parts of the texts are related. */
function related(
  run: SequenceRun,
  place: number,
  { pointer, oracle, target }: Difference,
  { earlier, relation }: Clash,
  use: UseOutput,
): string | undefined {
  const before = run.executed[earlier.step];
  if (before === undefined || typeof oracle !== typeof target) return undefined;
  const there = { oracle: at(before.oracle, earlier.pointer), target: at(before.target, earlier.pointer) };
  const here = `$response.body#${pointer}`;
  const name = `seen-${earlier.pointer.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/^-|-$/g, "")}`;
  const seen = () =>
    earlier.step === place
      ? `$response.body#${earlier.pointer}`
      : use(earlier.step, { name, expression: `$response.body#${earlier.pointer}` });
  const isNumber = typeof oracle !== "string";
  if (isNumber && relation === "after") return `${here} > ${seen()}`;
  if (isNumber && relation === "before") return `${here} < ${seen()}`;
  if (relation === "same" && isEqual(oracle, there.oracle)) return `${here} == ${seen()}`;
  return relation === "other" && isEqual(target, there.target) ? `${here} != ${seen()}` : undefined;
}

function at({ response }: SideExchange, pointer: string): Json | undefined {
  const json = response.type === "response" ? jsonOf(response.body.text()) : undefined;
  return json === undefined ? undefined : valueAt(json, pointer);
}

function isEqual(left: Json | undefined, right: Json | undefined): boolean {
  return left !== undefined && isSameJson(left, right);
}

import { bindSharedNames, type RequestTexts } from "../../checker/comparison/bind-shared-names.ts";
import { compareResponses } from "../../checker/comparison/compare-responses.ts";
import { Correspondence } from "../../checker/comparison/correspondence.ts";
import type { Difference } from "../../checker/comparison/difference.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { formatJson, isJsonObject, type Json, jsonOf } from "../../foundation/json/json.ts";
import { valueAt } from "../../foundation/spec/operation.ts";
import { operationOf, requestOf, type Tokens } from "./request-of.ts";
import { captures, type ReferenceResolver, type Slot, type Step, slotNames, unknownValues } from "./step.ts";

/** One side of a run: the oracle or the target, with a world of its own. */
export interface Side {
  readonly handler: Handler;
  readonly tokens: Tokens;
  /** Removes the world, or the users that the run created. */
  end(): Promise<void>;
}

/** A request to one side with its response. */
export interface SideExchange {
  readonly request: Request;
  readonly response: Response | FailedResponse;
}

/** A step with the exchanges of both sides. */
export interface ExecutedStep {
  readonly step: Step;
  readonly oracle: SideExchange;
  readonly target: SideExchange;
}

export interface SequenceRun {
  /** The steps up to the difference, or all of them. */
  readonly executed: readonly ExecutedStep[];
  readonly difference: Difference | undefined;
  /** Prefix of the ids of the users that the run creates. */
  readonly prefix: string;
}

/** Runs the same steps on both sides, and stops at the first difference between their responses. */
export async function runSequence(
  steps: readonly Step[],
  { oracle, target }: { readonly oracle: Side; readonly target: Side },
  prefix: string,
): Promise<SequenceRun> {
  const correspondence = new Correspondence();
  const [ofOracle, ofTarget] = [new Memory(prefix), new Memory(prefix)];
  const executed: ExecutedStep[] = [];
  for (const step of steps) {
    const [left, right] = await Promise.all([send(step, oracle, ofOracle), send(step, target, ofTarget)]);
    executed.push({ step, oracle: left, target: right });
    bindSharedNames(textsOf(left.request), textsOf(right.request), correspondence);
    const isControl = operationOf(step.operationId).api === "control";
    const compared = { place: executed.length - 1, isControl };
    const difference = compareResponses(left.response, right.response, compared, correspondence);
    if (difference !== undefined) return { executed, difference, prefix };
    for (const [slot, pointer] of slotsOf(step)) remember(slot, pointer, left.response, right.response);
  }
  return { executed, difference: undefined, prefix };

  function remember(
    slot: Slot,
    pointer: string,
    left: Response | FailedResponse,
    right: Response | FailedResponse,
  ): void {
    const [oracleValue, targetValue] = [capturedIn(left, pointer), capturedIn(right, pointer)];
    if (oracleValue === undefined || targetValue === undefined) return;
    ofOracle.keep(slot, oracleValue);
    ofTarget.keep(slot, targetValue);
  }
}

/** The values that later steps take from a step's response: name and JSON pointer. */
export function slotsOf({ operationId }: Step): readonly (readonly [Slot, string])[] {
  const found = Object.hasOwn(captures, operationId) ? captures[operationId] : undefined;
  return slotNames.flatMap((name) => {
    const pointer = found?.[name];
    return pointer === undefined ? [] : [[name, pointer] as const];
  });
}

/** The captured values of one side, and the ids of the users that the run creates. */
class Memory implements ReferenceResolver {
  readonly #values = new Map<Slot, Json>();
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  keep(slot: Slot, value: Json): void {
    this.#values.set(slot, value);
  }

  slotValue(slot: Slot): Json {
    return this.#values.get(slot) ?? unknownValues[slot];
  }

  userId(nth: number): string {
    return `${this.#prefix}-${nth}`;
  }
}

/** The value at a pointer of a successful response; undefined for null and for an empty text. */
export function capturedIn(response: Response | FailedResponse, pointer: string): Json | undefined {
  if (response.type === "broken" || response.status >= 300) return undefined;
  const json = jsonOf(response.body.text());
  const value = json === undefined ? undefined : valueAt(json, pointer);
  return value === "" || value === null ? undefined : value;
}

function textsOf({ target, body }: Request): RequestTexts {
  return { target, body: body.text() };
}

async function send(step: Step, side: Side, references: Memory): Promise<SideExchange> {
  const request = requestOf(step, references, side.tokens);
  if (!step.followsPages) return { request, response: await side.handler(request) };
  return { request, response: await allPages(request, side, references.userId(0).slice(0, -1)) };
}

/** Pages of a list that are read at most. */
const pagesMax = 1000;

/** The users that the run created, from all pages of the list; the response itself if it is not a list of users. */
async function allPages(request: Request, { handler }: Side, prefix: string): Promise<Response | FailedResponse> {
  const rows: Json[] = [];
  let pageToken = "";
  for (let page = 0; page < pagesMax; page += 1) {
    const more = pageToken === "" ? "" : `&pageToken=${encodeURIComponent(pageToken)}`;
    const response = await handler({ ...request, target: `${request.target}${more}` });
    const json = response.type === "response" && response.status === 200 ? jsonOf(response.body.text()) : undefined;
    if (response.type === "broken" || !isJsonObject(json) || !Array.isArray(json["users"])) return response;
    const users: readonly Json[] = json["users"];
    rows.push(...users.filter((user) => isJsonObject(user) && String(user["id"]).startsWith(prefix)));
    const next = json["nextPageToken"];
    if (typeof next !== "string" || next === "")
      return textResponse(200, "application/json", formatJson({ users: rows }));
    pageToken = next;
  }
  return { type: "broken", kind: "too-large", reason: `the list of users does not end within ${pagesMax} pages` };
}

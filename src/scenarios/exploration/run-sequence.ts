import { bindSharedNames, type RequestTexts } from "../../checker/comparison/bind-shared-names.ts";
import { compareResponses } from "../../checker/comparison/compare-responses.ts";
import { Correspondence } from "../../checker/comparison/correspondence.ts";
import type { Difference } from "../../checker/comparison/difference.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { formatJson, isJsonObject, type Json, jsonIn } from "../../foundation/json/json.ts";
import { valueAt } from "../../foundation/spec/operation.ts";
import { operationOf, requestOf, type Tokens } from "./request-of.ts";
import { captures, type Meaning, type Slot, type Step, slotNames, unknownValues } from "./step.ts";

/** One side of a walk: a world of its own, and how to leave it. */
export interface Side {
  readonly handler: Handler;
  readonly tokens: Tokens;
  end(): Promise<void>;
}

/** A request with what came back. */
export interface Requested {
  readonly request: Request;
  readonly response: Response | FailedResponse;
}

/** A step as both sides met it. */
export interface Taken {
  readonly step: Step;
  readonly oracle: Requested;
  readonly target: Requested;
}

export interface Walk {
  /** What was asked until the difference, or until the end. */
  readonly taken: readonly Taken[];
  readonly difference: Difference | undefined;
  /** The ids of the users that the walk makes begin so. */
  readonly prefix: string;
}

/** Takes the same steps on both sides, and stops where their responses differ. */
export async function runSequence(
  steps: readonly Step[],
  { oracle, target }: { readonly oracle: Side; readonly target: Side },
  prefix: string,
): Promise<Walk> {
  const correspondence = new Correspondence();
  const [ofOracle, ofTarget] = [new Memory(prefix), new Memory(prefix)];
  const taken: Taken[] = [];
  for (const step of steps) {
    const [left, right] = await Promise.all([ask(step, oracle, ofOracle), ask(step, target, ofTarget)]);
    taken.push({ step, oracle: left, target: right });
    bindSharedNames(textsOf(left.request), textsOf(right.request), correspondence);
    const isControl = operationOf(step.operationId).api === "control";
    const compared = { place: taken.length - 1, isControl };
    const difference = compareResponses(left.response, right.response, compared, correspondence);
    if (difference !== undefined) return { taken, difference, prefix };
    for (const [slot, pointer] of slotsOf(step)) remember(slot, pointer, left.response, right.response);
  }
  return { taken, difference: undefined, prefix };

  function remember(
    slot: Slot,
    pointer: string,
    left: Response | FailedResponse,
    right: Response | FailedResponse,
  ): void {
    const [expected, came] = [capturedIn(left, pointer), capturedIn(right, pointer)];
    if (expected === undefined || came === undefined) return;
    ofOracle.keep(slot, expected);
    ofTarget.keep(slot, came);
  }
}

/** What a step's answer gives to later ones. */
export function slotsOf({ operationId }: Step): readonly (readonly [Slot, string])[] {
  const found = Object.hasOwn(captures, operationId) ? captures[operationId] : undefined;
  return slotNames.flatMap((name) => {
    const pointer = found?.[name];
    return pointer === undefined ? [] : [[name, pointer] as const];
  });
}

/** What one side's slots hold, and how it calls the walk's users. */
class Memory implements Meaning {
  readonly #values = new Map<Slot, Json>();
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  keep(slot: Slot, value: Json): void {
    this.#values.set(slot, value);
  }

  recalled(slot: Slot): Json {
    return this.#values.get(slot) ?? unknownValues[slot];
  }

  ownUser(nth: number): string {
    return `${this.#prefix}-${nth}`;
  }
}

/** The value that a slot takes from a response; an empty text names nothing. */
export function capturedIn(response: Response | FailedResponse, pointer: string): Json | undefined {
  if (response.type === "broken" || response.status >= 300) return undefined;
  const json = jsonIn(response.body);
  const value = json === undefined ? undefined : valueAt(json, pointer);
  return value === "" || value === null ? undefined : value;
}

function textsOf({ target, body }: Request): RequestTexts {
  return { target, body: new TextDecoder().decode(body) };
}

async function ask(step: Step, side: Side, meaning: Memory): Promise<Requested> {
  const request = requestOf(step, meaning, side.tokens);
  if (!step.followsPages) return { request, response: await side.handler(request) };
  return { request, response: await allPages(request, side, meaning.ownUser(0).slice(0, -1)) };
}

/** More pages than that are no list that somebody would walk through in a test. */
const pagesMax = 1000;

/** The users that the walk made, from all pages of the list; what else came where it is no list. */
async function allPages(request: Request, { handler }: Side, prefix: string): Promise<Response | FailedResponse> {
  const rows: Json[] = [];
  let pageToken = "";
  for (let page = 0; page < pagesMax; page += 1) {
    const more = pageToken === "" ? "" : `&pageToken=${encodeURIComponent(pageToken)}`;
    const response = await handler({ ...request, target: `${request.target}${more}` });
    const json = response.type === "response" && response.status === 200 ? jsonIn(response.body) : undefined;
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

import type { Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import type { FastCheck } from "./fast-check.ts";
import type { ExplorationInputs } from "./inputs.ts";
import type { Step, Token } from "./step.ts";

/** What drawing a step needs. */
export interface Generators {
  readonly fc: FastCheck;
  readonly material: ExplorationInputs;
}

/** What is drawn, with how often it is beside others. */
export interface Weighted<Value> {
  readonly arbitrary: Arbitrary<Value>;
  readonly weight: number;
}

/** One of these values; the first is the simplest. */
export function oneOf<Value>({ fc }: Generators, ...values: readonly Value[]): Arbitrary<Value> {
  return fc.constantFrom(...values);
}

/** Mostly the first kind of value, now and then the other; the first is the simpler. */
export function weighted<Value>(
  { fc }: Generators,
  usual: Arbitrary<Value>,
  other: Arbitrary<Value>,
): Arbitrary<Value> {
  return fc.oneof(
    { withCrossShrink: true, depthSize: "max" },
    { arbitrary: usual, weight: 9 },
    { arbitrary: other, weight: 1 },
  );
}

/** What a step is made of; whatever is left out is empty. */
export interface Parts {
  readonly path?: Readonly<Record<string, Arbitrary<Json>>>;
  /** A query parameter whose value is null is left out. */
  readonly query?: Readonly<Record<string, Arbitrary<Json>>>;
  readonly body?: Arbitrary<Json>;
}

/** A call of an operation by an administrator, now and then with another token or with a body that is no JSON. */
export function call(drawing: Generators, operationId: string, parts: Parts = {}): Arbitrary<Step> {
  const { fc } = drawing;
  return fc
    .record({
      path: drawn(fc, parts.path ?? {}),
      query: drawn(fc, parts.query ?? {}),
      body: parts.body ?? fc.constant(undefined),
      rawBody: parts.body === undefined ? fc.constant(undefined) : rarely(fc, "{", "[]", '{"rights":5,"changes":5}'),
      token: rarely<Token>(fc, "plain", "unknown", "empty", "none").map((token) => token ?? "administrator"),
    })
    .map((step) => ({ ...step, operationId, followsPages: false }));
}

function rarely<Value>(fc: FastCheck, ...values: readonly Value[]): Arbitrary<Value | undefined> {
  return fc.oneof(
    { withCrossShrink: true, depthSize: "max" },
    { arbitrary: fc.constant(undefined), weight: 24 },
    { arbitrary: fc.constantFrom(...values), weight: 1 },
  );
}

function drawn(fc: FastCheck, members: Readonly<Record<string, Arbitrary<Json>>>): Arbitrary<JsonObject> {
  return fc.record(members);
}

/** An object of these members; those whose name ends with a question mark are now and then left out. */
export function members(drawing: Generators, given: Readonly<Record<string, Arbitrary<Json>>>): Arbitrary<JsonObject> {
  const { fc } = drawing;
  const required = Object.keys(given).filter((name) => !name.endsWith("?"));
  const all = Object.entries(given).map(([name, arbitrary]) => [name.replace(/\?$/, ""), arbitrary] as const);
  return fc.record(Object.fromEntries(all), { requiredKeys: required });
}

/** Steps that belong together, of which some are now and then left out; shrinking leaves out what it can. */
export function sequence(
  { fc }: Generators,
  length: number,
  steps: Arbitrary<readonly Step[]>,
): Arbitrary<readonly Step[]> {
  const isKept = fc.oneof(
    { withCrossShrink: true, depthSize: "max" },
    { arbitrary: fc.constant(false), weight: 1 },
    { arbitrary: fc.constant(true), weight: 19 },
  );
  return fc
    .record({ steps, kept: fc.array(isKept, { minLength: length, maxLength: length, size: "max" }) })
    .map(({ steps: all, kept }) => all.filter((_, place) => kept[place] === true));
}

import type { Arbitrary } from "fast-check";
import * as fc from "fast-check";
import type { Json, JsonObject } from "../../../src/foundation/json/json.ts";
import type { Step, Token } from "./_step.ts";

/** A generator with its weight relative to others. */
export interface Weighted<Value> {
  readonly arbitrary: Arbitrary<Value>;
  readonly weight: number;
}

/** Generates one of the values. Shrinks to the first. */
export function oneOf<Value>(...values: readonly Value[]): Arbitrary<Value> {
  return fc.constantFrom(...values);
}

/** Generates 9 values in 10 from `usual`, the others from `other`. Shrinks to `usual`. */
export function weighted<Value>(usual: Arbitrary<Value>, other: Arbitrary<Value>): Arbitrary<Value> {
  return fc.oneof(
    { withCrossShrink: true, depthSize: "max" },
    { arbitrary: usual, weight: 9 },
    { arbitrary: other, weight: 1 },
  );
}

/** Generators for the parts of a step; a missing part is empty. */
export interface StepParts {
  readonly path?: Readonly<Record<string, Arbitrary<Json>>>;
  /** A query parameter with the value null is omitted. */
  readonly query?: Readonly<Record<string, Arbitrary<Json>>>;
  readonly body?: Arbitrary<Json>;
}

/** Generates calls of an operation with an administrator's token; rarely with another token or an invalid body. */
export function call(operationId: string, parts: StepParts = {}): Arbitrary<Step> {
  return fc
    .record({
      path: drawn(parts.path ?? {}),
      query: drawn(parts.query ?? {}),
      body: parts.body ?? fc.constant(undefined),
      rawBody: parts.body === undefined ? fc.constant(undefined) : rarely("{", "[]", '{"rights":5,"changes":5}'),
      token: rarely<Token>("plain", "unknown", "empty", "none").map((token) => token ?? "administrator"),
    })
    .map((step) => ({ ...step, operationId }));
}

function rarely<Value>(...values: readonly Value[]): Arbitrary<Value | undefined> {
  return fc.oneof(
    { withCrossShrink: true, depthSize: "max" },
    { arbitrary: fc.constant(undefined), weight: 24 },
    { arbitrary: fc.constantFrom(...values), weight: 1 },
  );
}

function drawn(members: Readonly<Record<string, Arbitrary<Json>>>): Arbitrary<JsonObject> {
  return fc.record(members);
}

/** Generates objects with these members. A member whose name ends with `?` is optional. */
export function members(given: Readonly<Record<string, Arbitrary<Json>>>): Arbitrary<JsonObject> {
  const required = Object.keys(given).filter((name) => !name.endsWith("?"));
  const all = Object.entries(given).map(([name, arbitrary]) => [name.replace(/\?$/, ""), arbitrary] as const);
  return fc.record(Object.fromEntries(all), { requiredKeys: required });
}

/** Generates sequences of related steps. Each step is omitted with a chance of 1 in 20; shrinking omits as many as it can. */
export function sequence(length: number, steps: Arbitrary<readonly Step[]>): Arbitrary<readonly Step[]> {
  const isKept = fc.oneof(
    { withCrossShrink: true, depthSize: "max" },
    { arbitrary: fc.constant(false), weight: 1 },
    { arbitrary: fc.constant(true), weight: 19 },
  );
  return fc
    .record({ steps, kept: fc.array(isKept, { minLength: length, maxLength: length, size: "max" }) })
    .map(({ steps: all, kept }) => all.filter((_, place) => kept[place] === true));
}

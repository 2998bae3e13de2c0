import type { Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import type { FastCheck } from "./fast-check.ts";
import type { ExplorationInputs } from "./inputs.ts";
import type { Step, Token } from "./step.ts";

/** What the generators of steps need: fast-check and the names in the scenario. */
export interface Generators {
  readonly fc: FastCheck;
  readonly inputs: ExplorationInputs;
}

/** A generator with its weight relative to others. */
export interface Weighted<Value> {
  readonly arbitrary: Arbitrary<Value>;
  readonly weight: number;
}

/** Generates one of the values. Shrinks to the first. */
export function oneOf<Value>({ fc }: Generators, ...values: readonly Value[]): Arbitrary<Value> {
  return fc.constantFrom(...values);
}

/** Generates 9 values in 10 from `usual`, the others from `other`. Shrinks to `usual`. */
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

/** Generators for the parts of a step; a missing part is empty. */
export interface StepParts {
  readonly path?: Readonly<Record<string, Arbitrary<Json>>>;
  /** A query parameter with the value null is omitted. */
  readonly query?: Readonly<Record<string, Arbitrary<Json>>>;
  readonly body?: Arbitrary<Json>;
}

/** Generates calls of an operation with an administrator's token; rarely with another token or an invalid body. */
export function call(generators: Generators, operationId: string, parts: StepParts = {}): Arbitrary<Step> {
  const { fc } = generators;
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

/** Generates objects with these members. A member whose name ends with `?` is optional. */
export function members(
  generators: Generators,
  given: Readonly<Record<string, Arbitrary<Json>>>,
): Arbitrary<JsonObject> {
  const { fc } = generators;
  const required = Object.keys(given).filter((name) => !name.endsWith("?"));
  const all = Object.entries(given).map(([name, arbitrary]) => [name.replace(/\?$/, ""), arbitrary] as const);
  return fc.record(Object.fromEntries(all), { requiredKeys: required });
}

/** Generates sequences of related steps. Each step is omitted with a chance of 1 in 20; shrinking omits as many as it can. */
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

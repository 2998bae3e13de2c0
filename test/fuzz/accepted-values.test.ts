import { expect, test } from "vitest";
import type { JsonObject } from "../../src/foundation/json/json.ts";
import type { SpecOperation } from "../../src/foundation/spec/operation.ts";
import { createPredicates } from "../../src/foundation/spec/schema-predicates.ts";
import { loadSpec, profileNamesOf, type Spec } from "../../src/foundation/spec/spec.ts";
import { createValidator } from "../../src/foundation/spec/validator.ts";
import { randomFrom } from "../_random.ts";
import { valueOfSchema } from "./_value-of-schema.ts";

const seed = 1;
/** The share of altered parts of each value of a schema. */
const alteredShares: readonly number[] = [...Array(10).fill(0), ...Array(40).fill(0.03)];

const registries = profileNamesOf("registry");
const profiles = profileNamesOf("ledger").map((ledger, index) => ({
  ledger,
  registry: registries[index % registries.length] ?? "spec",
}));

test.each(profiles)("predicates of $ledger and $registry accept most valid values, and no invalid one", (profile) => {
  const spec = loadSpec(profile, { hasAdditionalOperations: true });
  const values = [...valuesOf(spec, "ledger"), ...valuesOf(spec, "registry")];
  const valid = values.filter(({ isValid }) => isValid);
  const accepted = values.filter(({ isAccepted }) => isAccepted);
  expect(accepted.filter(({ isValid }) => !isValid)).toEqual([]);
  expect(accepted.length).toBeGreaterThan(0.95 * valid.length);
  expect(valid.length).toBeGreaterThan(0.5 * values.length);
  expect(values.length - valid.length).toBeGreaterThan(100);
});

/** Values of all schemas of an API, with the results of predicate and ajv. */
function valuesOf(spec: Spec, api: SpecOperation["api"]) {
  const [description, pointers] = [spec.descriptions[api], schemasOf(spec, api)];
  const predicateAt = createPredicates(description);
  const validate = createValidator(leftToAjv(description, pointers));
  const random = randomFrom(seed);
  return pointers.flatMap((pointer, index) =>
    alteredShares.map((share) => {
      const value = valueOfSchema(description, pointer, random, share);
      const isValid = validate(`/left/${index}`, value).length === 0;
      return { seed, pointer, value, isValid, isAccepted: predicateAt(pointer)(value) };
    }),
  );
}

/** The schemas of requests and responses. */
function schemasOf({ operations }: Spec, api: SpecOperation["api"]): readonly string[] {
  const used = operations
    .filter((operation) => operation.api === api)
    .flatMap(({ requestSchema, responses }) => [
      requestSchema,
      ...Object.values(responses).map(({ schema }) => schema),
    ]);
  return [...new Set(used)].filter((schema) => schema !== undefined);
}

/** The schemas under new names; predicates do not evaluate `allOf`, so ajv validates all their values. */
function leftToAjv(description: JsonObject, pointers: readonly string[]): JsonObject {
  const targets = pointers.map((pointer) => `#${pointer.split("/").map(encodeURIComponent).join("/")}`);
  return { ...description, left: targets.map((target) => ({ allOf: [{ $ref: target }] })) };
}

import { expect, test } from "vitest";
import type { Json } from "../../foundation/json/json.ts";
import { createValidator } from "../../foundation/spec/validator.ts";
import { makeValid } from "./make-valid.ts";

const schema = {
  type: "object",
  required: ["id"],
  properties: {
    id: { type: "string" },
    list: { type: "array", maxItems: 2, items: { type: "integer" } },
    inner: { type: "object", required: ["a"], properties: { a: { type: "string" } } },
  },
} as const;
const validate = createValidator({ it: schema });
const made = (value: Json | undefined) =>
  makeValid(() => value, { schema, flawsIn: (given) => validate("/it", given) }, 1);

test.each<readonly [string, Json, Json]>([
  ["an ill-typed element", { id: "a", list: [1, "x"] }, { id: "a", list: [1] }],
  ["an ill-typed member", { id: "a", list: 5 }, { id: "a" }],
  ["an object that lacks a member", { id: "a", inner: {} }, { id: "a" }],
  ["a list that is too long", { id: "a", list: [1, 2, 3] }, { id: "a" }],
])("takes out %s", (_, value, repaired) => {
  expect(made(value)).toEqual({ type: "repaired", value: repaired });
});

test("hands on what is valid, and drops what cannot be repaired or made", () => {
  expect(made({ id: "a" })).toEqual({ type: "valid", value: { id: "a" } });
  for (const hopeless of [{ list: [] }, { id: 5 }, [], undefined])
    expect(made(hopeless)).toEqual({ type: "dropped", value: undefined });
});

import { expect, test, vi } from "vitest";
import type { Json } from "../json/json.ts";
import { createValidator } from "./validator.ts";

const description = {
  it: {
    type: "object",
    required: ["id"],
    properties: { id: { type: "string" }, at: { type: "integer", format: "int64" } },
  },
};

/** More values than a predicate accepts before ajv validates. */
const many = 2000;

test.each<readonly [string, Json]>([
  ["a valid value", { id: "a" }],
  ["integers beyond 2^53", { id: "a", at: 2n ** 62n, other: 2n ** 80n }],
  ["an integer beyond int64", { id: "a", at: 2n ** 63n }],
  ["a member of another type", { id: 1 }],
  ["a missing member", {}],
  ["a large value with two violations", { id: Array(6000).fill("a"), at: "b" }],
  ["an integer in place of an object", 7n],
])("validates %s alike before and after many valid values", (_what, value) => {
  const [first, later] = [createValidator(description), createValidator(description)];
  for (let index = 0; index < many; index += 1) expect(later("/it", { id: "a", at: index })).toEqual([]);
  expect(later("/it", value)).toEqual(first("/it", value));
});

/** The constructor of functions where code generation is forbidden. */
class ForbiddenFunction {
  constructor() {
    throw new EvalError("Code generation from strings disallowed for this context");
  }
}

test("accepts valid values where code generation is forbidden", () => {
  const validate = createValidator(description);
  vi.stubGlobal("Function", ForbiddenFunction);
  try {
    for (let index = 0; index < many; index += 1) expect(validate("/it", { id: "a", at: index })).toEqual([]);
    expect(() => validate("/it", {})).toThrow(EvalError);
  } finally {
    vi.unstubAllGlobals();
  }
});

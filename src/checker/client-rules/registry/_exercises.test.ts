import { expect, test } from "vitest";
import { createContextKey } from "./_exercises.ts";

const values = { "open-round": { tag: "AV_ContractId", value: "00ab" } };

test("a context of several factories and registries has a key for each", () => {
  const contextKey = createContextKey();
  const keys = () => [
    contextKey("a", "00f1", { values }),
    contextKey("a", "00f2", { values }),
    contextKey("b", "00f2", { values }),
    contextKey("a", "00f1", { values }),
  ];
  const [first, second, third, fourth] = keys();
  expect(new Set([first, second, third]).size).toBe(3);
  expect(fourth).toBe(first);
  expect(keys()).toEqual([first, second, third, fourth]);
});

test("equal contexts have the same key, and other contexts have another", () => {
  const contextKey = createContextKey();
  const key = contextKey("a", "00f1", { values });
  expect(contextKey("a", "00f1", { values: structuredClone(values) })).toBe(key);
  expect(contextKey("a", "00f1", values)).toBe(key);
  expect(contextKey("a", "00f1", { values: {} })).not.toBe(key);
});

test("an empty context, a missing one and null have the same key", () => {
  const contextKey = createContextKey();
  const keys = [{ values: {} }, {}, undefined, null].map((context) => contextKey("a", "00f1", context));
  expect(new Set(keys).size).toBe(1);
});

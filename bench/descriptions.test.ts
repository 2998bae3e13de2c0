import { expect, test } from "vitest";
import { joined, selfContained } from "./descriptions.ts";

test("joins paths and schemas, and keeps what the first says of itself", () => {
  const first = { info: { title: "a" }, paths: { "/a": {} }, components: { schemas: { A: { type: "string" } } } };
  const second = { info: { title: "b" }, tags: [], paths: { "/b": {} }, components: { schemas: { B: {} } } };
  expect(joined(first, second)).toEqual({
    info: { title: "a" },
    tags: [],
    paths: { "/a": {}, "/b": {} },
    components: { schemas: { A: { type: "string" }, B: {} } },
  });
});

test("does not let one schema take the place of another", () => {
  const one = { components: { schemas: { A: { type: "string" } } } };
  expect(() => joined(one, one)).toThrow("A is in both");
});

test("puts schemas in the place of references and leaves extensions out", () => {
  const description = { components: { schemas: { Id: { type: "string", "x-identifier": "userId" } } } };
  const schema = { type: "array", "x-section": "3", items: { $ref: "#/components/schemas/Id" } };
  expect(selfContained(schema, description)).toEqual({ type: "array", items: { type: "string" } });
});

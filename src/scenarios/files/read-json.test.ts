import fc from "fast-check";
import { expect, test } from "vitest";
import { readAnyJson, readJson, uniqueNamesLengthMax } from "./read-json.ts";
import { readDocument, readYaml } from "./read-yaml.ts";

const rows = (count: number) => Array.from({ length: count }, (_, index) => `{"id":"u${index}","note":"a, \\"}]{ b"}`);
const large = `{\n"participantId": "p::1220ab",\n"users": [\n${rows(30_000).join(",\n")}\n], "deep": {"a":\n[1, [2,\n3]]}}`;

const json = (text: string) => readJson("f", text, () => text);

/** Reads a text both ways, and compares the values and the place of each value and name. */
function expectSameReading(text: string): void {
  const [fast, slow] = [json(text), readDocument("f", text, () => text)];
  if (fast === undefined || slow.type === "invalid") throw new Error(`both read ${text}`);
  expect(fast.value).toEqual(slow.source.value);
  for (const path of pathsIn(fast.value))
    for (const part of ["value", "name"] as const)
      expect([path, part, fast.placeOf(path, part)]).toEqual([path, part, slow.source.placeOf(path, part)]);
}

/** The paths of all values, and of one that is missing in each. */
function pathsIn(value: unknown): readonly (readonly (string | number)[])[] {
  if (typeof value !== "object" || value === null) return [[], ["no"], [0]];
  const children = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [[], ["no"], [99], ...children.flatMap(([name, child]) => pathsIn(child).map((path) => [name, ...path]))];
}

test("reads JSON with the same value and places as the YAML reader", () => {
  expectSameReading(`{\n"users": [\n${rows(3).join(",\n")}\n],\n"deep": {"a":\n[1, [2,\n3], {}, []]}}`);
  expectSameReading(
    '\r\n\t{ "a\\u0062"\r\n:\t-0, "": [1E+2, "#", "\\ud83d\\ude00", null], "__proto__": {"5": true}\n}\n',
  );
});

test("reads any JSON with the same value and places as the YAML reader", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1, "\t"), (value, space) => {
      expectSameReading(JSON.stringify({ value }, undefined, space));
    }),
    { numRuns: 50 },
  );
});

test("reads large JSON with its value and the lines of its rows", () => {
  const read = json(large);
  expect(read?.placeOf(["users", 29_999, "id"]).line).toBe(30_003);
  expect(read?.placeOf(["deep", "a", 1, 1]).line).toBe(30_006);
  expect(read?.value).toEqual(JSON.parse(large));
});

const repeated = (length: number) => `{"b":{"a":"${"x".repeat(length)}:","\\u0061":1}}`;

test.each([
  ["text that is not JSON", "{ a: 1}"],
  ["deeply nested JSON", `${"[".repeat(201)}${"]".repeat(201)}`],
  ["repeated names", repeated(0)],
  ["repeated names in a long text", repeated(uniqueNamesLengthMax - 30)],
])("leaves %s to the YAML reader", (_, text) => {
  expect(json(text)).toBeUndefined();
});

test("reports a repeated name, and takes its last value where it is not looked for", () => {
  expect(readYaml("f", repeated(0))).toMatchObject({
    problems: [{ line: 1, column: 15, problem: "the name is used twice in one object" }],
  });
  expect(json(repeated(uniqueNamesLengthMax))?.value).toEqual({ b: { a: 1 } });
  expect(readAnyJson("f", repeated(0), () => "")?.value).toEqual({ b: { a: 1 } });
});

test.each(["", '{"users', '{"users": [', '{"users": [{"id": "', '{"users": [1,,,', '{"\\x": 1}'])(
  "gives line 1 if the file is now %j",
  (changed) => {
    expect(readJson("f", large, () => changed)?.placeOf(["users", 29_999, "id"]).line).toBe(1);
  },
);

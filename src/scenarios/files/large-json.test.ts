import { expect, test } from "vitest";
import { largeJsonMin, readLargeJson } from "./large-json.ts";
import { readYaml } from "./read-yaml.ts";

const rows = (count: number) => Array.from({ length: count }, (_, index) => `{"id":"u${index}","note":"a, \\"}]{ b"}`);
const large = `{\n"participantId": "p::1220ab",\n"users": [\n${rows(30_000).join(",\n")}\n], "deep": {"a":\n[1, [2,\n3]]}}`;

test("reads large JSON with the same value and lines as the YAML reader", () => {
  const value = `{\n"users": [\n${rows(3).join(",\n")}\n],\n"deep": {"a":\n[1, [2,\n3], {}, []]}}`;
  const padded = `${value.slice(0, -1)},"padding":"${"x".repeat(largeJsonMin)}"}`;
  const [fast, slow] = [readLargeJson("f", padded, () => padded), readYaml("f", value)];
  if (fast === undefined || slow.type === "invalid") throw new Error("both are read");
  for (const path of [[], ["users"], ["users", 2, "note"], ["users", 9], ["deep", "a", 1, 1], ["deep", "a", 3], ["no"]])
    expect([path, fast.placeOf(path)]).toEqual([path, slow.source.placeOf(path)]);
});

test("reads large JSON with its value and the lines of its rows", () => {
  const read = readLargeJson("f", large, () => large);
  expect(read?.placeOf(["users", 29_999, "id"]).line).toBe(30_003);
  expect(read?.placeOf(["deep", "a", 1, 1]).line).toBe(30_006);
  expect(read?.value).toEqual(JSON.parse(large));
});

test.each([
  ["a small text", '{"a":1}'],
  ["text that is not JSON", `{${" ".repeat(largeJsonMin)}a: 1}`],
  ["deeply nested JSON", `${"[".repeat(201)}${" ".repeat(largeJsonMin)}${"]".repeat(201)}`],
])("leaves %s to the YAML reader", (_, text) => {
  expect(readLargeJson("f", text, () => text)).toBeUndefined();
});

test("gives line 1 if the file has changed since it was read", () => {
  expect(readLargeJson("f", large, () => "")?.placeOf(["users", 29_999, "id"]).line).toBe(1);
});

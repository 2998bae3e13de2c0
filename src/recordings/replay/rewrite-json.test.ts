import { expect, test } from "vitest";
import { rewriteJson } from "./rewrite-json.ts";

const same = { text: (text: string) => text, member: (name: string) => name };
const loud = {
  text: (text: string, path: readonly string[]) => `${text}@${path.join("/")}`,
  member: (name: string) => name.toUpperCase(),
};

test.each([
  '{"a":[1,-2.50,1e9,true,null,"\\u00e9\\/\\"\\\\"],"b":{}}',
  " [ ] ",
  '"\\\\"',
  "12345678901234567890",
  '{"a":"{[,:]}\\"","b" : "x"}\n',
])("%j stays to the letter where nothing is to change", (text) => {
  expect(rewriteJson(text, same)).toBe(text);
});

test.each([
  ['{"a":{"b":["x",{"c":"y"}]},"d":"z"}', '{"A":{"B":["x@a/b/*",{"C":"y@a/b/*/c"}]},"D":"z@d"}'],
  ['{"n":[1, 2.5, -3]}', '{"N":[1, 2.5, -3]}'],
  ['["a","b"]', '["a@*","b@*"]'],
  ['{"a":"\\""}', '{"A":"\\"@a"}'],
  ['"x"', '"x@"'],
])("%j is rewritten by where its values stand", (text, expected) => {
  expect(rewriteJson(text, loud)).toBe(expected);
});

test("texts of megabytes are rewritten as they are", () => {
  const [long, escaped] = ["x".repeat(20_000_000), "\\n".repeat(1_000_000)];
  const text = `{"a":"${long}","b":"${escaped}"}`;
  expect(rewriteJson(text, same)).toBe(text);
  expect(rewriteJson(text, { ...same, member: (name) => `${name}1` }).length).toBe(text.length + 2);
});

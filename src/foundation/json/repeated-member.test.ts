import { expect, test } from "vitest";
import { parseJson } from "./json.ts";
import { repeatedMember } from "./repeated-member.ts";

test.each([
  ['{"a":1,"a":1}', "a"],
  ['[ { "b": [ {"c": 1, "d": {}, "c": 2} ] } ]', "c"],
  ['{"a":{"a":{"x":"}"}}, "b\\"": 1, "b\\u0022": 2}', 'b"'],
  ['{"a":1E2,"a":2}', "a"],
  ['{"n":1e8,"a":1,"a":1}', "a"],
  ['{"a" :1,"a"\n:2}', "a"],
  ['{"a" :1,"a" :2,"b":"\\":"}', "a"],
  ['{"a\\\\":1,"a\\\\":2}', "a\\"],
  ['{"__proto__":{},"__proto__":1}', "__proto__"],
])("finds the repeated member of %s", (text, name) => {
  expect(repeatedMember(text, parseJson(text))).toBe(name);
});

test.each([
  '{"a":1,"b":{"a":1}}',
  '[{"a": 1}, {"a": 1}]',
  '{"a": "b", "b": "a\\": 1, \\"a"}',
  '"a"',
  " 7 ",
  '[{"a":":"}, {"a":"\\":"}, {}, [[]]]',
  '{"__proto__":1}',
])("finds no repeated member in %s", (text) => expect(repeatedMember(text, parseJson(text))).toBeUndefined());

import { expect, test } from "vitest";
import { editJson, type JsonEditor } from "./edit-json.ts";

const editor: JsonEditor = {
  key: (key) => key,
  text: (text, { member, parent, previous }) => (text === "x" ? `${parent}.${member}:${previous}` : text),
  hides: () => false,
  number: (digits, { member }) => (member === "offset" ? "7" : digits),
  stray: (stray) => (stray === "stray" ? "found" : stray),
};

test("edits values in place; order, white space, duplicates, escapes and long integers stay", () => {
  const before = `{ "b" : 12345678901234567890,\n "a":"x", "a" : "\\u002fy\\/" , "n":1.0e5,"offset":12,"k\\"":[ null,true ] }`;
  expect(editJson(before, editor)).toBe(before.replace('"x"', '".a:"').replace("12,", "7,"));
});

test("gives the member, the enclosing member, and the preceding text in a list", () => {
  const before = '{"users":[{"id":"x"},{"list":["USER","x"],"after":"x"}],"top":"x"}';
  const after =
    '{"users":[{"id":"users.id:"},{"list":["USER","users.list:USER"],"after":"users.after:x"}],"top":".top:x"}';
  expect(editJson(before, editor)).toBe(after);
});

test.each([
  ['{"a":"x', '{"a":".a:'],
  ['{"a":"x"}{"b":"x"}', '{"a":".a:"}{"b":".b:"}'],
  ["{stray: 1}", "{stray: 1}"],
  ["[stray]", "[found]"],
  ['{"a\\u00', '{"a\\u00'],
  ["]]}}", "]]}}"],
])("edits %s, which is not JSON, as far as it is readable", (before, after) => {
  expect(editJson(before, editor)).toBe(after);
});

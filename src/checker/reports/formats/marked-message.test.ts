import { expect, test } from "vitest";
import { markedMessage } from "./_marked-message.ts";

const message = (body: string) => ({ line: "200", headers: [["A", "b"]] as const, body });

test("marks the member at the pointer in an indented body", () => {
  const { text } = markedMessage(message('{"users":[{"id":5}],"a/b":[]}'), "/users/0/id");
  expect(text).toBe(
    "200\nA: b\n\n{\n  &quot;users&quot;: [\n    {\n      &quot;id&quot;: <mark>5</mark>\n    }\n  ],\n  &quot;a/b&quot;: []\n}",
  );
});

test("marks the value around an absent member, and nothing for the whole response or a text", () => {
  expect(markedMessage(message('{"users":[{}]}'), "/users/0/id").text).toContain("<mark>{}</mark>");
  for (const [body, pointer] of [
    ['{"a":1}', ""],
    ["no JSON", "/a"],
  ] as const)
    expect(markedMessage(message(body), pointer).text).not.toContain("<mark>");
});

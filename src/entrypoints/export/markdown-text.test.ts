import { expect, test } from "vitest";
import { codeBlock, codeSpan, plainText } from "./markdown-text.ts";

test.each([
  ["a heading", "a\n## b", "a \\#\\# b"],
  ["HTML", "<script>&amp;</script>", "\\<script\\>&amp;amp;\\</script\\>"],
  ["a link", "[a](http://b)", "\\[a\\]\\(http://b\\)"],
  ["an image and emphasis", "!*a*", "\\!\\*a\\*"],
  ["a fence", "```js", "\\`\\`\\`js"],
  ["a cell", "a | b", "a \\| b"],
  ["a list", "- a", "\\- a"],
  ["a numbered list", "1. a", "\\1. a"],
  ["an underlined heading", "=====", "\\====="],
])("plain text cannot become %s", (_, text, shown) => {
  expect(plainText(text)).toBe(shown);
});

test("backticks in a text do not end its code span or code block", () => {
  expect(codeSpan("a ``b` c")).toBe("```a ``b` c```");
  expect(codeSpan("`a`")).toBe("`` `a` ``");
  expect(codeSpan("a\n\nb")).toBe("`a b`");
  expect(codeBlock("json", "```\n<b>\n````")).toBe("`````json\n```\n<b>\n````\n`````");
  expect(codeBlock("text", "a\r\nb\rc")).toBe("```text\na\nb\nc\n```");
});

import { expect, test } from "vitest";
import { printable, printableLines } from "./printable.ts";

test.each([
  ["::error file=a.ts::text", ": :error file=a.ts::text"],
  ["  ::add-mask::text", "  : :add-mask::text"],
  ["##vso[task.complete]", "# #vso[task.complete]"],
  ["a ##[error]text", "a # #[error]text"],
  ["##teamcity[message]", "# #teamcity[message]"],
  ["alice::1220", "alice::1220"],
  ["## Heading", "## Heading"],
  ["a\u2028::error::x", "a�::error::x"],
  ["\u001b[2J\u202e", "�[2J�"],
])("prints %j as %j", (text, printed) => {
  expect(printable(text)).toBe(printed);
});

test.each([
  ["body:\n::error::text\n::1220", "body:\n: :error::text\n: :1220"],
  ["body:\r\n\t::warning::text", "body:\n\t: :warning::text"],
  ["body:\u2028::error::text", "body:\n: :error::text"],
  ["a\n##[group]b", "a\n# #[group]b"],
])("prints the lines %j as %j", (text, printed) => {
  expect(printableLines(text)).toBe(printed);
});

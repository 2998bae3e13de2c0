import { expect, test } from "vitest";
import { headerValues } from "./header.ts";
import { textResponse } from "./response.ts";
import { withReason } from "./with-reason.ts";

const reasonFor = (reason: string) =>
  headerValues(withReason(textResponse(404, undefined, ""), reason).headers, "understudy-reason")[0];

test.each([
  ["two lines\nof ☂", "two lines of ?"],
  [`unknown user "${"t".repeat(1200)}" here`, "unknown user (1202 characters) here"],
  ["word ".repeat(300), `${"word ".repeat(199)}word ...`],
  [`reason ${"t".repeat(100_000)}`, "reason ..."],
  ["t".repeat(100_000), " ..."],
])("gives a reason one line, without parts of long values: %j", (reason, header) => {
  expect(reasonFor(reason)).toBe(header);
});

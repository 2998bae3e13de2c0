import { expect, test } from "vitest";
import { withSection } from "./page-section.ts";

test("replaces the text between the markers and nothing else", () => {
  const page = "# A\n<!-- bench:begin -->\nold\n<!-- bench:end -->\nB\n";
  expect(withSection(page, "new")).toBe("# A\n<!-- bench:begin -->\nnew\n<!-- bench:end -->\nB\n");
});

test("refuses a page without markers", () => {
  expect(() => withSection("# A\n", "new")).toThrow("the page has no <!-- bench:begin -->");
});

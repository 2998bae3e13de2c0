import { expect, test } from "vitest";
import { withSection } from "./readme-section.ts";

test("replaces what stands between the markers and nothing else", () => {
  const readme = "# A\n<!-- bench:begin -->\nold\n<!-- bench:end -->\nB\n";
  expect(withSection(readme, "new")).toBe("# A\n<!-- bench:begin -->\nnew\n<!-- bench:end -->\nB\n");
});

test("a page without markers stays as it is", () => {
  expect(() => withSection("# A\n", "new")).toThrow("README.md has no <!-- bench:begin -->");
});

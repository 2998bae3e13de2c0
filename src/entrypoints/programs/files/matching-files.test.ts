import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { matchingFiles } from "./matching-files.ts";

const folder = mkdtempSync(join(tmpdir(), "understudy-patterns-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

mkdirSync(join(folder, "scenarios"));
for (const name of ["b.yaml", "a.yaml", "c.har", "literal*.yaml"]) writeFileSync(join(folder, "scenarios", name), "");

test.each([
  ["scenarios/?.yaml", ["scenarios/?.yaml"]],
  ["scenarios/[ab]*.yaml", ["scenarios/a.yaml", "scenarios/b.yaml"]],
  ["scenarios/*.har", ["scenarios/c.har"]],
  ["scenarios/literal*.yaml", ["scenarios/literal*.yaml"]],
  ["other/*.yaml", ["other/*.yaml"]],
  ["-", ["-"]],
])("%s stands for %j", (word, files) => {
  expect(matchingFiles(word, folder).map((file) => file.replaceAll("\\", "/"))).toEqual(files);
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { darOf } from "../archives/dar-of.ts";
import { HOLDINGS } from "../archives/packages/holdings.ts";
import { IOU } from "../archives/packages/iou.ts";
import { temporaryFolder, understudy } from "./_command-line.ts";

function folderWithDars(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "iou.dar"), darOf(IOU));
  writeFileSync(join(folder, "holdings.dar"), darOf(HOLDINGS));
  return folder;
}

test("generate types writes a file for each DAR, and replaces none without --force", async () => {
  const folder = folderWithDars();
  const command = ["generate", "types", "iou.dar", "holdings.dar"];
  const first = await understudy(command, { folder });
  expect(first).toMatchObject({ exitCode: 0, error: "", out: "wrote generated/iou.ts, generated/holdings.ts\n" });
  expect(readFileSync(join(folder, "generated/iou.ts"), "utf8")).toContain('readonly "#iou:Iou:Iou": {');
  expect((await understudy(command, { folder })).error).toContain("generated/iou.ts exists.");
});

test("generate fixtures of a DAR writes a contract of each template, which its party sees", async () => {
  const folder = folderWithDars();
  const made = await understudy(["generate", "fixtures", "holdings.dar", "--out", "made"], { folder });
  expect(made).toMatchObject({ exitCode: 0, error: "" });
  expect(made.out).toContain("2 contracts, one of each template\n");
  const files = ["ledger.json", "registry.json", "scenario.arazzo.yaml"].map((name) => `made/${name}`);
  expect(await understudy(["validate", ...files], { folder })).toMatchObject({ exitCode: 0, error: "" });
  const run = await understudy(["run", "made/scenario.arazzo.yaml"], { folder });
  expect(run).toMatchObject({ exitCode: 0, error: "" });
  expect(run.out).toContain("Steps: 4 passed, 0 failed.");
});

test.each([
  [["types"], "generate types needs a DAR: understudy generate types my.dar"],
  [["types", "no.dar"], "no.dar"],
  [["types", "wrong.dar"], "wrong.dar is not a DAR that can be read: Dar file is corrupt (INVALID_DAR)."],
  [["fixtures", "iou.dar", "holdings.dar"], "generate fixtures takes one DAR, not 2."],
  [["fixtures", "iou.dar", "--seed", "3"], "--seed has no effect with a DAR."],
])("generate %j is refused", async (words, problem) => {
  const folder = folderWithDars();
  writeFileSync(join(folder, "wrong.dar"), "not a zip");
  const { exitCode, error } = await understudy(["generate", ...words], { folder });
  expect(exitCode).toBe(2);
  expect(error).toContain(problem);
});

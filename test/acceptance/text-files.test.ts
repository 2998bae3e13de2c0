import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, temporaryFolder, understudy } from "./_command-line.ts";

const scenario = "scenarios/reassignment-by-steps.arazzo.yaml";

/** A project with the scenario and its fixtures. */
function projectFolder(): string {
  const folder = temporaryFolder();
  for (const path of ["fixtures", scenario]) cpSync(join(root, path), join(folder, path), { recursive: true });
  mkdirSync(join(folder, ".git"));
  return folder;
}

/** Forms in which editors and shells of Windows write a text. */
const forms: Readonly<Record<string, (text: string) => Uint8Array>> = {
  "CRLF line ends": (text) => Buffer.from(text.replaceAll("\n", "\r\n")),
  "a byte order mark": (text) => Buffer.from(`\uFEFF${text}`),
  "UTF-16": (text) => Buffer.from(`\uFEFF${text}`, "utf16le"),
};

test.each(Object.entries(forms))("reads a scenario and its fixtures with %s", async (_, encoded) => {
  const folder = projectFolder();
  for (const file of [scenario, "fixtures/ledgers/two-synchronizers.yaml", "fixtures/registries/amulet.yaml"])
    writeFileSync(join(folder, file), encoded(readFileSync(join(root, file), "utf8")));
  const { exitCode, error } = await understudy(["run", scenario, "--profile", "canton-3.5"], { folder });
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
});

test("a pattern that no shell has expanded names the files that it matches", async () => {
  const folder = projectFolder();
  const { exitCode, out } = await understudy(["validate", "fixtures/registries/*.yaml"], { folder });
  expect([exitCode, out.trim().split("\n").length]).toEqual([
    0,
    readdirSync(join(folder, "fixtures/registries")).length,
  ]);
  const none = await understudy(["validate", "fixtures/none/*.yaml"], { folder });
  expect([none.exitCode, none.out]).toEqual([2, expect.stringContaining("fixtures/none/*.yaml")]);
});

test("reads JSON that it wrote, with CRLF line ends and with a byte order mark", async () => {
  const folder = projectFolder();
  await understudy(["run", scenario, "--profile", "canton-3.5", "--out", "seen.har"], { folder });
  const redact = ["redact", "seen.har", "--out", "redacted.har", "--names", "names.json", "--force"];
  await understudy(redact, { folder });
  await understudy(["check", "seen.har", "--report", "report.json", "--force"], { folder });
  for (const name of ["seen.har", "names.json", "report.json"])
    writeFileSync(join(folder, name), `\uFEFF${readFileSync(join(folder, name), "utf8").replaceAll("\n", "\r\n")}`);
  expect(await understudy(redact, { folder })).toMatchObject({ exitCode: 0 });
  expect(await understudy(["check", "merge", "report.json"], { folder })).toMatchObject({ exitCode: 0 });
  expect(await understudy(["check", "seen.har"], { folder })).toMatchObject({ exitCode: 0 });
});

test.each([".md", ".html", ".json", ".sarif", ".xml"])(
  "a report of an earlier run with CRLF line ends is replaced: %s",
  async (ending) => {
    const folder = projectFolder();
    const words = ["check", "seen.har", "--report", `earlier${ending}`];
    await understudy(["run", scenario, "--profile", "canton-3.5", "--out", "seen.har"], { folder });
    await understudy(words, { folder });
    const file = join(folder, `earlier${ending}`);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("\n", "\r\n"));
    expect(await understudy(words, { folder })).toMatchObject({ exitCode: 0, error: "" });
  },
);

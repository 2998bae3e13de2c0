import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inProcess, temporaryFolder, understudy } from "../../../test/acceptance/_command-line.ts";
import { main } from "./command-line.ts";

test("prints a fault of Understudy, and ends with exit code 4", async () => {
  const printed: string[] = [];
  const exitCode = await main(["--version"], {
    ...inProcess,
    print: () => {
      throw new Error("no paper");
    },
    printError: (text) => printed.push(text),
  });
  expect(exitCode).toBe(4);
  expect(printed).toEqual(["Understudy has a bug: no paper. Please report it with the command line."]);
});

test("commands of one process find relative names each in a folder of its own", async () => {
  const entry = (path: string) => ({
    request: { method: "GET", url: `http://node${path}`, headers: [] },
    response: { status: 200, headers: [], content: { mimeType: "application/json", text: "{}" } },
  });
  const paths = ["/v2/users", "/v2/idps"];
  const folders = paths.map((path) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "x.har"), JSON.stringify({ log: { entries: [entry(path)] } }));
    return folder;
  });
  const words = ["redact", "x.har", "--out", "out.har", "--names", "names.json"];
  const before = process.cwd();
  const ran = await Promise.all(folders.map((folder) => understudy(words, { folder })));
  for (const [index, folder] of folders.entries()) {
    expect(ran[index]).toMatchObject({ exitCode: 0, error: "", out: "out.har: 1 exchange; nothing was renamed\n" });
    expect(readFileSync(join(folder, "out.har"), "utf8")).toContain(`"http://node${paths[index]}"`);
    expect(readFileSync(join(folder, "names.json"), "utf8")).toContain('"names":[');
  }
  expect([process.cwd(), process.exitCode]).toEqual([before, undefined]);
});

import { expect, test } from "vitest";
import { commands } from "../../src/entrypoints/cli/commands.ts";
import { commandLimits } from "../../src/entrypoints/cli/flags/command-limits.ts";
import { expectRefusal, temporaryFolder, understudy } from "./_command-line.ts";

test.each([
  ["leaseMs=2000", "--limit leaseMs=2000 has no effect without --store. Add --store URL, or remove it."],
  [
    "storedJournalBytesMax=2000000",
    "--limit storedJournalBytesMax=2000000 has no effect without --keep-journal. Add --keep-journal DURATION, or remove it.",
  ],
])("serve refuses a limit of a store that it does not have: %s", async (limit, message) => {
  await expectRefusal(["serve", "--limit", limit], message);
});

test("a command leaves limits of other commands in the environment, and refuses those that no command has", async () => {
  const folder = temporaryFolder();
  const ran = (words: string, limits: string) => understudy(words, { folder, variables: { UNDERSTUDY_LIMIT: limits } });
  for (const words of ["import x.har", "check x.har"])
    expect((await ran(words, "worldsMax=10,leaseMs=2000")).error).toContain("File not found: x.har");
  expect((await ran("serve shop.yaml", "stepsMax=3\nleaseMs=2000")).error).toContain("File not found: shop.yaml");
  expect((await ran("import x.har", "worldMax=10")).error).toContain(
    "UNDERSTUDY_LIMIT in the environment worldMax=10: unknown limit.",
  );
});

test("the limits of all commands have their names in one list", async () => {
  const loaded = await Promise.all(commands.map(({ load }) => load()));
  const numbers = loaded.flatMap(({ flags }) => flags.filter(({ name }) => name === "limit")).flatMap(({ numbers: all = [] }) => all);
  expect(new Set(numbers.map(({ name }) => name))).toEqual(commandLimits);
});

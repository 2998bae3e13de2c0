import { linkSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isSameFile, namedFile, namedTwice } from "./named-file.ts";
import { checkWritable } from "./write-whole.ts";

const folder = mkdtempSync(join(tmpdir(), "understudy-names-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const named = (name: string) => namedFile(name, { folder });
writeFileSync(join(folder, "seen.har"), "{}");
// One file under two names, as on a system where case does not matter.
linkSync(join(folder, "seen.har"), join(folder, "Seen.HAR"));
writeFileSync(join(folder, "other.har"), "{}");
linkSync(join(folder, "other.har"), join(folder, "linked.har"));

test("names that differ in case are one file where the system says so", () => {
  expect(isSameFile(named("seen.har"), named("Seen.HAR"))).toBe(true);
  expect(isSameFile(named("seen.har"), named("./seen.har"))).toBe(true);
  expect(isSameFile(named("seen.har"), named("SEEN.har"))).toBe(false);
  expect(isSameFile(named("other.har"), named("linked.har"))).toBe(false);
  expect(namedTwice([named("other.har"), named("seen.har"), named("Seen.HAR")])?.name).toBe("Seen.HAR");
});

test("a command does not overwrite its input under a name with other case", () => {
  expect(() => checkWritable(named("Seen.HAR"), [named("seen.har")])).toThrow("is the input");
});

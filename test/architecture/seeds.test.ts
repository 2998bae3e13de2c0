import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { seed } from "../_seed.ts";
import { root } from "./_sources.ts";

/** Random numbers and keys without a seed, and seeds of the clock. */
const unseeded =
  /Math\.random\(|\brandom(?:Int|Bytes|UUID|FillSync)\(|\bgetRandomValues\(|\bgenerateKey(?:Pair)?(?:Sync)?\(|\bseed\w*\b[^,;\n]*[=:][^,;\n]*(?:Date\.now|performance\.now|hrtime|process\.(?:pid|env))/;

const tested = ["src", "test"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter((file) => /\.tsx?$/.test(file) && (folder === "test" || /(?:\.test|\/_[a-z-]+)\.tsx?$/.test(file))),
);

test("tests draw nothing without a seed, and take seeds from test/_seed.ts", () => {
  const found = tested.filter((file) => unseeded.test(readFileSync(join(root, file), "utf8")));
  expect(found.filter((file) => file !== "test/architecture/seeds.test.ts")).toEqual([]);
});

test.each([
  "const seed = Date.now() % 9;",
  "x.sort(() => Math.random() - 1)",
  "randomBytes(4)",
  "run({ seed: process.pid })",
])("finds what has no seed: %s", (text) => {
  expect(text).toMatch(unseeded);
});

test("fast-check draws from the seed of test/_seed.ts", () => {
  expect(fc.readConfigureGlobal().seed).toBe(seed);
});

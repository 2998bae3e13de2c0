import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(`${root}docs/reliability.md`, "utf8");
const rows = [...page.matchAll(/^\| (.+?) \| (.+) \|$/gm)].filter(
  ([, promise]) => promise !== "Promise" && promise !== "---",
);
/** Shorter words could stand in any file. */
const nameLengthMin = 12;

test.each(rows.map(([, promise = "", kept = ""]) => [promise, kept] as const))("%s", (_promise, kept) => {
  const files = kept.split(/; (?=`)/).map((part) => /^`([\w./-]+\.test\.ts)` (".+")$/.exec(part) ?? [part]);
  for (const [part, file = "", names = ""] of files) {
    expect(existsSync(root + file) && file !== "" ? "" : `${part}: no such file`).toBe("");
    const text = readFileSync(root + file, "utf8");
    for (const [, name = ""] of names.matchAll(/"([^"]*)"/g)) {
      expect(name.length, `a name of ${file}`).toBeGreaterThanOrEqual(nameLengthMin);
      expect(text, file).toContain(name);
    }
  }
});

test("every part of the page has promises", () => {
  for (const part of page.split("\n## ").slice(1)) expect(part).toMatch(/\| --- \| --- \|\n\| \S/);
});

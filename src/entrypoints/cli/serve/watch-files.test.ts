import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { watchFiles } from "./watch-files.ts";

const named = (path: string) => ({ name: "a file", path });

/** A watched file in its own folder; `after` lets time pass and returns the number of reported changes. */
function watched() {
  const folder = mkdtempSync(join(tmpdir(), "understudy-watch-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const file = join(folder, "a");
  writeFileSync(file, "one");
  let changes = 0;
  const watching = watchFiles([named(file), named(join(folder, "b", "c"))], () => {
    changes += 1;
  });
  onTestFinished(() => watching.close());
  const after = (ms: number) => {
    vi.advanceTimersByTime(ms);
    return changes;
  };
  return { folder, file, watching, after };
}

test("reports a change that follows immediately", () => {
  const { file, after } = watched();
  writeFileSync(file, "other");
  expect(after(10_000)).toBe(1);
});

test("reports a file that disappears, and a file that appears", () => {
  const { folder, file, after } = watched();
  rmSync(file);
  expect(after(10_000)).toBe(1);
  writeFileSync(file, "one");
  expect(after(10_000)).toBe(2);
  writeFileSync(join(folder, "b"), "no folder");
  expect(after(10_000)).toBe(2);
});

test("reports several quick changes once", () => {
  const { file, after } = watched();
  for (const text of ["a", "ab", "abc"]) {
    writeFileSync(file, text);
    expect(after(200)).toBe(0);
  }
  expect(after(10_000)).toBe(1);
});

test("reports nothing without a change, or after it is closed", () => {
  const { file, watching, after } = watched();
  expect(after(10_000)).toBe(0);
  writeFileSync(file, "other");
  expect(after(200)).toBe(0);
  watching.close();
  expect(after(10_000)).toBe(0);
});

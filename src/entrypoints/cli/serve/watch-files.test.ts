import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { watchFiles } from "./watch-files.ts";

const named = (path: string) => ({ name: "a file", path });

/** A watched file in a folder of its own, how often a change was told, and a way to let time pass. */
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

test("tells of a change that follows at once", () => {
  const { file, after } = watched();
  writeFileSync(file, "other");
  expect(after(10_000)).toBe(1);
});

test("tells of a file that goes away, and of one that comes", () => {
  const { folder, file, after } = watched();
  rmSync(file);
  expect(after(10_000)).toBe(1);
  writeFileSync(file, "one");
  expect(after(10_000)).toBe(2);
  writeFileSync(join(folder, "b"), "no folder");
  expect(after(10_000)).toBe(2);
});

test("tells once of changes that follow each other", () => {
  const { file, after } = watched();
  for (const text of ["a", "ab", "abc"]) {
    writeFileSync(file, text);
    expect(after(200)).toBe(0);
  }
  expect(after(10_000)).toBe(1);
});

test("tells nothing when nothing changes, or when it is closed", () => {
  const { file, watching, after } = watched();
  expect(after(10_000)).toBe(0);
  writeFileSync(file, "other");
  expect(after(200)).toBe(0);
  watching.close();
  expect(after(10_000)).toBe(0);
});

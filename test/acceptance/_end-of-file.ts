import { rmSync } from "node:fs";
import { afterAll } from "vitest";

/** Time for all that a file has started to end, on a busy machine too. */
export const endMs = 120_000;

let endings: (() => unknown)[] = [];
let folders: string[] = [];

/** Has something end after the file's last test: tests run at once, and share what they start. */
export function endAtEndOfFile(end: () => unknown): void {
  endings.push(end);
}

/** Has a folder removed after the file's last test, when all has ended that may use it. */
export function removeAtEndOfFile(folder: string): void {
  folders.push(folder);
}

/** Ends what the file has started, and removes its folders. */
export async function endFile(): Promise<void> {
  const [running, left] = [endings, folders];
  [endings, folders] = [[], []];
  await Promise.all(running.map((end) => end()));
  for (const folder of left) rmSync(folder, { recursive: true, force: true });
}

// Where files share their modules this counts for the first of them only; a setup file has to call it for each.
afterAll(endFile, endMs);

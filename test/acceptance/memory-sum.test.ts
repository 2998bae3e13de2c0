import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limitValues } from "../../src/foundation/limits/limits.ts";
import { root } from "./_command-line.ts";
import { memoryParts, memorySum, processMemory } from "./_memory-sum.ts";

const page = readFileSync(join(root, "docs/limits.md"), "utf8");
const inMebibytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`;

test("docs/limits.md has the memory of each part with the default limits, and their sum", () => {
  const sum = memorySum(limitValues(), 1);
  const rows = { ...memoryParts(limitValues(), 1), sum, process: processMemory(sum) };
  for (const [part, bytes] of Object.entries(rows))
    expect(page).toMatch(new RegExp(`^\\| ${part} \\| [^|]+ \\| ${inMebibytes(bytes)} \\|$`, "m"));
});

test("the example for a container has its sum, its heap and its memory", () => {
  const limits = limitValues({ connectionsMax: 500, bufferedBytesMax: 16_777_216, eventStreamsMax: 10 });
  const bytes = memorySum(limits, 3);
  const sum = inMebibytes(bytes);
  expect(page).toContain(`the sum is ${sum}, and a container of ${2 * Number.parseInt(sum, 10)} MiB is enough:`);
  expect(processMemory(bytes)).toBe(2 * bytes);
  expect(page).toContain(`--max-old-space-size=${sum.replace(" MiB", "")}\n`);
});

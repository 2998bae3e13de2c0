import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limitValues } from "../../src/foundation/limits/limits.ts";
import { root } from "./_command-line.ts";
import { memoryParts, memorySum } from "./_memory-sum.ts";

const page = readFileSync(join(root, "docs/limits.md"), "utf8");
const inMebibytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`;

test("docs/limits.md has the memory of each part with the default limits, and their sum", () => {
  const rows = { ...memoryParts(limitValues(), 1), sum: memorySum(limitValues(), 1) };
  for (const [part, bytes] of Object.entries(rows))
    expect(page).toMatch(new RegExp(`^\\| ${part} \\| [^|]+ \\| ${inMebibytes(bytes)} \\|$`, "m"));
});

test("the sum of the example for a container is half of its memory", () => {
  const limits = limitValues({ connectionsMax: 500, bufferedBytesMax: 16_777_216, eventStreamsMax: 10 });
  const sum = inMebibytes(memorySum(limits, 3));
  expect(page).toContain(`the sum is ${sum}:`);
  expect(page).toContain(`--max-old-space-size=${sum.replace(" MiB", "")}\n`);
});

// Reads a fixture: `node fixture-child.ts parse|load FILE`, and prints the milliseconds. Each measurement is a separate process.
import { readFileSync } from "node:fs";
import { createUnderstudy } from "../../src/index.ts";

const [what, file = ""] = process.argv.slice(2);
const [begun, before] = [performance.now(), process.cpuUsage()];
const read: unknown = what === "parse" ? JSON.parse(readFileSync(file, "utf8")) : createUnderstudy({ scenario: file });
const [ms, { user, system }] = [performance.now() - begun, process.cpuUsage(before)];
if (read === null) throw new Error("nothing was read");
console.log(
  JSON.stringify({ ms, cpuMs: (user + system) / 1000, peakMegabytes: process.resourceUsage().maxRSS / 1000 }),
);

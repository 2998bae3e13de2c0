// Reads a fixture: `node fixture-child.ts parse FILE` or `load SCENARIO LIBRARY`, and prints the milliseconds of the processor.
import { readFileSync } from "node:fs";

const [what, file = "", library = ""] = process.argv.slice(2);
const { createUnderstudy }: typeof import("../../src/index.ts") = what === "load" ? await import(library) : {};
const before = process.cpuUsage();
const read: unknown = what === "load" ? createUnderstudy({ scenario: file }) : JSON.parse(readFileSync(file, "utf8"));
const { user, system } = process.cpuUsage(before);
if (read === null) throw new Error("nothing was read");
console.log((user + system) / 1000);

#!/usr/bin/env node
/** What the package needs; an older Node would fail somewhere in the middle. */
const nodeNeeded = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < nodeNeeded[0] || (major === nodeNeeded[0] && minor < nodeNeeded[1])) {
  console.error(`understudy needs Node ${nodeNeeded.join(".")} or newer; this is ${process.versions.node}.`);
  process.exitCode = 2;
} else {
  // What V8 makes of our code is kept in Node's own folder for that, and read there by the next start; where it cannot be
  // kept, nothing is lost but time.
  process.getBuiltinModule("node:module").enableCompileCache();
  void import("./run-command-line.ts").then(({ runCommandLine }) => runCommandLine());
}

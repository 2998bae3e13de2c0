#!/usr/bin/env node
/** The oldest supported version of Node. */
const nodeNeeded = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < nodeNeeded[0] || (major === nodeNeeded[0] && minor < nodeNeeded[1])) {
  console.error(`understudy needs Node ${nodeNeeded.join(".")} or newer; this is ${process.versions.node}.`);
  process.exitCode = 2;
} else {
  // Node caches the compiled code for the next start. Without the cache, the start only takes longer.
  process.getBuiltinModule("node:module").enableCompileCache();
  void import("./run-command-line.ts").then(({ runCommandLine }) => runCommandLine());
}

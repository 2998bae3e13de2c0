#!/usr/bin/env node
import { nodeProblem } from "../library/node-problem.ts";

const problem = nodeProblem(process.versions.node);
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 2;
} else {
  // Node caches the compiled code for the next start. Without the cache, the start only takes longer.
  process.getBuiltinModule("node:module").enableCompileCache();
  void import("./run-command-line.ts").then(({ runCommandLine }) => runCommandLine());
}
